/// A version of an archive: while it stays the same, so do all reads.
public struct ArchiveStamp: Hashable, Sendable {
    /// The connection, in databases where each connection counts changes separately; otherwise 0.
    var connection: Int64 = 0
    /// The number of changes by other connections, or by all of them.
    let others: Int64
    /// The number of rows that this connection has changed, where they are counted separately.
    let own: Int32
}
