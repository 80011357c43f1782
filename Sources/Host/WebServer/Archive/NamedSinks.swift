public import Delivery

/// The sinks that the host's user has given names.
public struct NamedSinks: Sendable {
    /// The possible names of sinks in an order, sorted, and recipients of e-mail.
    let names: @Sendable () throws -> [String]
    /// Finds the sink with a name.
    private let find: @Sendable (String) throws -> any Sink
    /// The outbox with the documents that wait for sinks.
    let outbox: @Sendable () throws -> Outbox
    /// Reads again the registry that contains the sinks.
    private let registry: @Sendable () throws -> SinkRegistry

    /// The sinks of a user's registry, which is read again each time.
    public init(
        names: @escaping @Sendable () throws -> [String],
        named: @escaping @Sendable (String) throws -> any Sink,
        outbox: @escaping @Sendable () throws -> Outbox,
        registry: @escaping @Sendable () throws -> SinkRegistry
    ) {
        self.names = names
        find = named
        self.outbox = outbox
        self.registry = registry
    }

    /// The sink with a name.
    ///
    /// - Parameter options: the settings for making a file of the document.
    func named(_ name: String, _ options: FileSinkOptions) throws -> any Sink {
        try find(name).making(options)
    }

    /// The sinks with their names.
    func all() throws -> [(name: String, definition: SinkDefinition)] {
        try registry().sinks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The sink of that name; nil when there is none.
    func definition(_ name: String) throws -> SinkDefinition? { try registry().definition(name) }

    /// Changes the list in the registry's file, while no other process can.
    func change<Value>(_ body: (inout SinkList) throws -> Value) throws -> Value {
        var registry = try self.registry()
        return try registry.change(body)
    }
}
