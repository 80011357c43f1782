import Documents

/// A connection to the tables of an archive, in SQLite or in PostgreSQL.
///
/// Documents and their changes are implemented once, on top of this protocol. It has only what the
/// two databases do differently. Every statement is a literal of this program (``SQLText``). A
/// connection is used by one thread at a time; its owner ensures that.
protocol ArchiveDatabase: AnyObject {
    /// The connection's present user; the archive sets it before each use.
    var user: ArchiveUser { get set }

    /// Runs a statement and gives each of its rows to `body`.
    func each(_ statement: SQLText, _ values: [SQLValue], _ body: (Row) throws -> Void) throws

    /// Runs a statement that inserts one row, and returns that row's `id`.
    func insert(_ statement: SQLText, _ values: [SQLValue]) throws -> Int64

    /// The number of rows that the last statement changed, inserted or deleted.
    var changes: Int { get }

    /// Runs `body` in one transaction: all of its changes are made, or none.
    ///
    /// It may run several times, if another transaction interferes.
    func write<Value>(_ body: () throws -> Value) throws -> Value

    /// Runs `body` on one state of the database, whatever others write meanwhile.
    func read<Value>(_ body: () throws -> Value) throws -> Value

    /// Keeps others from changing documents until the transaction ends; does nothing if
    /// transactions never overlap.
    func hold(_ documents: [Int64]) throws

    /// Keeps others from delivering a job's document until the transaction ends; does nothing if
    /// transactions never overlap.
    func hold(job: String) throws

    /// Puts an image into the table `image`, in the transaction that adds its page.
    ///
    /// - Throws: ``ArchiveError`` when it may have been removed meanwhile.
    func name(_ image: NewImage) throws

    /// The ids of new pages; null if the database assigns them itself.
    ///
    /// - Parameter created: when their document was scanned, in seconds since 1970.
    func pageKeys(_ count: Int, created: Double) throws -> [SQLValue]

    /// The id of a new page that belongs to another page; null if the database assigns it.
    func pageKey(besides page: Int64) throws -> SQLValue

    /// Creates the partition for a document's pages, if there are partitions, before the
    /// transaction that adds the pages.
    ///
    /// - Parameter created: when it was scanned, in seconds since 1970.
    func makeRoom(created: Double) throws

    /// Creates the partitions for pages whose ids were assigned elsewhere, before the transaction
    /// that adds the pages.
    func makeRoom(pages keys: [Int64]) throws

    /// Makes sure that new documents and pages do not get the ids of copied ones.
    func noteKeys() throws

    /// The version of everything that is read.
    func stamp() throws -> ArchiveStamp

    /// The full-text index over the pages as they are now.
    var index: any PageIndex { get }
}

extension ArchiveDatabase {
    /// Runs a statement that takes no values and gives each of its rows to `body`.
    func each(_ statement: SQLText, _ body: (Row) throws -> Void) throws {
        try each(statement, [], body)
    }

    /// Runs a statement whose rows, if any, are of no interest.
    func run(_ statement: SQLText, _ values: [SQLValue] = []) throws {
        try each(statement, values) { _ in }
    }

    /// Every row of a result.
    func all<Value>(
        _ statement: SQLText, _ values: [SQLValue] = [], _ read: (Row) throws -> Value
    ) throws -> [Value] {
        var result: [Value] = []
        try each(statement, values) { result.append(try read($0)) }
        return result
    }

    /// The first row of a result; nil when there is none.
    func first<Value>(
        _ statement: SQLText, _ values: [SQLValue] = [], _ read: (Row) throws -> Value
    ) throws -> Value? {
        var result: Value?
        try each(statement, values) { if result == nil { result = try read($0) } }
        return result
    }
}

/// Hands out connections to an archive's database.
protocol DatabaseAccess: Sendable {
    /// Runs `body` with a connection that no other thread uses meanwhile.
    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws -> Value
}
