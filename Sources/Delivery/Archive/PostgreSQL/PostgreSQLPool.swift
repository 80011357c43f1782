import Dispatch
import ExpectedFailures
import PostgreSQL
import Synchronization

/// Connections of this process to an archive's server: as many as threads use at once, up to a
/// bound.
///
/// A connection is expensive for the server, so all archives with the same address that are open at
/// the same time share them.
final class PostgreSQLPool: DatabaseAccess {
    /// `@unchecked Sendable`: a connection is here, or with one thread.
    private struct Idle: @unchecked Sendable {
        let database: PostgreSQLDatabase
    }

    private let address: PostgreSQLAddress
    private let kind: Archive.Access
    private let idle = Mutex<[Idle]>([])
    private let places: DispatchSemaphore
    /// The maximum number of connections that stay open while nobody needs them.
    private static let mostIdle = 4

    private struct Key: Hashable {
        let address: PostgreSQLAddress
        let isReadOnly: Bool
    }

    private struct Shared: Sendable {
        weak var pool: PostgreSQLPool?
    }

    private static let all = Mutex<[Key: Shared]>([:])

    /// The pool for an address, which exists as long as an archive uses it.
    static func shared(
        _ address: PostgreSQLAddress, _ access: Archive.Access
    ) -> PostgreSQLPool {
        let key = Key(address: address, isReadOnly: access == .readOnly)
        return all.withLock { all in
            if let pool = all[key]?.pool { return pool }
            let pool = PostgreSQLPool(address, access)
            all = all.filter { $0.value.pool != nil }
            all[key] = Shared(pool: pool)
            return pool
        }
    }

    /// - Parameter most: The maximum number of connections at once.
    private init(_ address: PostgreSQLAddress, _ access: Archive.Access, most: Int = 8) {
        self.address = address
        kind = access
        places = DispatchSemaphore(value: most)
    }

    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws -> Value {
        places.wait()
        defer { places.signal() }
        let database = try waiting() ?? PostgreSQLDatabase(address, kind)
        defer {
            if database.connection.isIdle {
                idle.withLock { idle in
                    if idle.count < Self.mostIdle { idle.append(Idle(database: database)) }
                }
            }
        }
        return try body(database)
    }

    /// An idle connection that still works: a server that restarted has closed the earlier ones.
    private func waiting() -> PostgreSQLDatabase? {
        while let found = idle.withLock({ $0.popLast() }) {
            let connection = found.database.connection
            let works = ifSupported { try connection.notifications(within: 0) } != nil
            if works, connection.isIdle {
                return found.database
            }
        }
        return nil
    }
}
