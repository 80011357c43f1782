/// A version of an archive: as long as it is the same, everything that is read is the same.
public struct ArchiveStamp: Hashable, Sendable {
    /// Changes of others, or of everyone.
    let others: Int64
    /// Rows that this connection has changed, where they are counted apart.
    let own: Int32
}

extension Archive {
    /// The archive's version now.
    ///
    /// - Throws: ``ArchiveError``.
    public func stamp() throws(ArchiveError) -> ArchiveStamp {
        try access { try $0.stamp() }
    }
}
