import FoundationEssentials

/// The named sinks in a ``SinkRegistry``.
public struct SinkList: Hashable, Sendable {
    /// The sinks by name.
    public private(set) var sinks: [String: SinkDefinition] = [:]

    /// The e-mail addresses by the names that people gave them, such as `ada` or a group; several
    /// are separated by commas.
    public private(set) var addresses: [String: String] = [:]

    /// The possible receivers of a document: the sinks, and `email:NAME` for each name in the
    /// address book, if a mail server is known.
    public var choices: [String] {
        let senders = sinks.filter { $0.value.kind == .email }
        let recipients =
            senders.count == 1 || senders["email"] != nil
            ? addresses.keys.filter { senders[$0] == nil }.sorted().map { "email:" + $0 } : []
        return sinks.keys.sorted() + recipients
    }

    private struct Stored: Codable {
        var sinks: [String: SinkDefinition]
        var addresses: [String: String]?
    }

    init() {}

    /// Reads a list from the bytes of a file.
    init(_ bytes: [UInt8]) throws {
        let stored = try JSONDecoder().decode(Stored.self, from: Data(bytes))
        sinks = stored.sinks
        addresses = stored.addresses ?? [:]
    }

    /// The bytes of a file with this list.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let stored = Stored(sinks: sinks, addresses: addresses.isEmpty ? nil : addresses)
        return Array(try encoder.encode(stored))
    }

    /// The sink of that name; nil when there is none.
    public func definition(_ name: String) -> SinkDefinition? { sinks[name] }

    /// The sink with that name.
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

    /// Adds a sink, or replaces the one with that name.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` for an invalid name or sink.
    public mutating func add(_ name: String, _ definition: SinkDefinition) throws(DeliveryError) {
        guard Self.isName(name), name != "archive" else {
            throw DeliveryError(
                .invalidOption,
                "A sink can't be called '\(name)': use up to 40 lowercase letters, digits and hyphens, and not 'archive'."
            )
        }
        try definition.check()
        sinks[name] = definition
    }

    private static func isName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// Gives e-mail addresses a name; addresses that had the name lose it.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` for an invalid name or address.
    public mutating func call(_ name: String, _ list: [String]) throws(DeliveryError) {
        guard Self.isName(name) else {
            throw DeliveryError(
                .invalidOption,
                "An address can't be called '\(name)': use up to 40 lowercase letters, digits and hyphens."
            )
        }
        guard !list.isEmpty else {
            throw DeliveryError(.invalidOption, "'\(name)' stands for no address. Name one.")
        }
        for address in list { try EmailDeliverer.check(address: address) }
        addresses[name] = list.joined(separator: ",")
    }

    /// Removes a name from the address book.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` for an unknown name.
    public mutating func forget(_ name: String) throws(DeliveryError) {
        _ = try address(name)
        addresses[name] = nil
    }

    /// The addresses that a name stands for, with commas between.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`, with the nearest name.
    public func address(_ name: String) throws(DeliveryError) -> String {
        if let known = addresses[name] { return known }
        guard !addresses.isEmpty else {
            throw DeliveryError(
                .invalidOption,
                "'\(name)' is not an e-mail address, and the address book has no such name. Add it with: copystand sinks addresses add \(name) ADDRESS"
            )
        }
        throw DeliveryError(
            .invalidOption, unknownName(name, what: "e-mail address", addresses.keys.sorted()))
    }

    /// Replaces a token by a new one from its issuer.
    mutating func replace(token: String, with new: String) {
        for (name, sink) in sinks where sink.token == token { sinks[name]?.token = new }
    }

    /// Removes a sink.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when there is none.
    public mutating func remove(_ name: String) throws(DeliveryError) {
        _ = try sink(name)
        sinks[name] = nil
    }
}
