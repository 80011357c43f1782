import FoundationEssentials

/// The named sinks, in a file that only its owner can read, for it holds tokens and passwords.
public struct SinkBook: Sendable {
    /// The sinks by their names.
    public private(set) var sinks: [String: SinkDefinition]
    /// The file.
    public let path: String

    /// The book in a file; empty when there is none.
    ///
    /// - Throws: ``DeliveryError``: `permissionDenied` when others may read the file, `invalidOption` when it makes no sense.
    public init(path: String) throws(DeliveryError) {
        self.path = path
        guard let data = try Self.file(path).read() else {
            sinks = [:]
            return
        }
        do {
            sinks = try JSONDecoder().decode(Stored.self, from: Data(data)).sinks
        } catch {
            throw DeliveryError(
                .invalidOption, "'\(path)' can't be read as a list of sinks: \(error)")
        }
    }

    /// The user's book: `$XDG_CONFIG_HOME/copystand/sinks.json`, else `~/.config/copystand/sinks.json`.
    ///
    /// - Throws: as ``init(path:)``.
    public static func standard(environment: [String: String]) throws(DeliveryError) -> SinkBook {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return try SinkBook(path: folder + "/copystand/sinks.json")
        }
        return try SinkBook(path: (environment["HOME"] ?? "/tmp") + "/.config/copystand/sinks.json")
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

    /// Adds a sink, or replaces the one of that name, and writes the file.
    ///
    /// - Throws: ``DeliveryError``: `invalidOption` for a name or a sink that makes no sense; what the disk refuses.
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
        try write()
    }

    /// Takes a sink out, and writes the file.
    ///
    /// - Throws: ``DeliveryError``: `invalidOption` when there is none; what the disk refuses.
    public mutating func remove(_ name: String) throws(DeliveryError) {
        _ = try sink(name)
        sinks[name] = nil
        try write()
    }

    private struct Stored: Codable {
        var sinks: [String: SinkDefinition]
    }

    private func write() throws(DeliveryError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Stored(sinks: sinks)) else {
            throw DeliveryError(.inputOutput, "The list of sinks can't be written.")
        }
        try Self.file(path).replace(with: Array(data))
    }

    private static func file(_ path: String) -> PrivateFile {
        PrivateFile(path: path, holding: "passwords")
    }
}
