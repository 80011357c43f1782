import FoundationEssentials

/// The named sinks: what a ``SinkRegistry`` keeps.
public struct SinkList: Hashable, Sendable {
    /// The sinks by their names.
    public private(set) var sinks: [String: SinkDefinition] = [:]

    private struct Stored: Codable {
        var sinks: [String: SinkDefinition]
    }

    init() {}

    /// Reads a list from the bytes of a file.
    init(_ bytes: [UInt8]) throws {
        sinks = try JSONDecoder().decode(Stored.self, from: Data(bytes)).sinks
    }

    /// The bytes of a file with this list.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(Stored(sinks: sinks)))
    }

    /// The sink of that name; nil when there is none.
    public func definition(_ name: String) -> SinkDefinition? { sinks[name] }

    /// The sink of that name.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`, with the nearest name.
    public func sink(_ name: String) throws(DeliveryError) -> SinkDefinition {
        if let sink = sinks[name] { return sink }
        guard !sinks.isEmpty else {
            throw DeliveryError(
                .invalidOption,
                "There is no sink called '\(name)'. Add one with: copystand sinks add \(name) …")
        }
        throw DeliveryError(
            .invalidOption, unknownName(name, what: "sink", sinks.keys.sorted()))
    }

    /// Adds a sink, or replaces the one of that name.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` for a name or a sink that makes no sense.
    public mutating func add(_ name: String, _ definition: SinkDefinition) throws(DeliveryError) {
        let isName =
            (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
            } && name != "archive"
        guard isName else {
            throw DeliveryError(
                .invalidOption,
                "A sink can't be called '\(name)': take up to 40 lower-case letters, digits and hyphens, and not 'archive'."
            )
        }
        try definition.check()
        sinks[name] = definition
    }

    /// Takes a sink out.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when there is none.
    public mutating func remove(_ name: String) throws(DeliveryError) {
        _ = try sink(name)
        sinks[name] = nil
    }
}
