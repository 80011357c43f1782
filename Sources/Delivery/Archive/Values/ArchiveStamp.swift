/// A version of an archive: while it stays the same, so do all reads.
public struct ArchiveStamp: Hashable, Sendable {
    /// The connection that counts, where each counts for itself.
    var connection: Int64 = 0
    /// The number of changes by others, or by everyone.
    let others: Int64
    /// The number of rows that this connection has changed, where they are counted separately.
    let own: Int32
}
