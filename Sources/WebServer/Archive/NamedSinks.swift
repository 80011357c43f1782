public import Delivery

/// The sinks that the host's user has given names.
public struct NamedSinks: Sendable {
    /// Their names, sorted.
    let names: @Sendable () throws -> [String]
    /// The sink of a name.
    let named: @Sendable (String) throws -> any Sink
    /// What waits for them, and brings it there.
    let outbox: @Sendable () throws -> Outbox

    /// Sinks as a user's book has them, which is read anew each time.
    public init(
        names: @escaping @Sendable () throws -> [String],
        named: @escaping @Sendable (String) throws -> any Sink,
        outbox: @escaping @Sendable () throws -> Outbox
    ) {
        self.names = names
        self.named = named
        self.outbox = outbox
    }
}
