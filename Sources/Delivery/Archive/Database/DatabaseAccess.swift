import Synchronization

/// Hands out connections to an archive's database.
protocol DatabaseAccess: Sendable {
    /// Runs `body` with a connection that no other thread uses meanwhile.
    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws -> Value
}

/// The one connection to a SQLite file.
final class SingleConnection: DatabaseAccess {
    /// `@unchecked Sendable`: no two threads use it at once, and nothing keeps it beyond the call.
    private struct Guarded: @unchecked Sendable {
        let connection: Connection
    }

    private let guarded: Mutex<Guarded>

    init(_ connection: sending Connection) {
        guarded = Mutex(Guarded(connection: connection))
    }

    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws -> Value {
        try guarded.withLock { try body($0.connection) }
    }
}
