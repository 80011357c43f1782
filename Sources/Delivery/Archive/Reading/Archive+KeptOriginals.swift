extension Archive {
    /// The imported files that a document's present and removed pages come from, in the order in
    /// which they were added; empty for a scanned document.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    public func originals(of id: DocumentID) throws(ArchiveError) -> [KeptOriginal] {
        try access { database in
            try database.read {
                let document = try database.see(id)
                _ = try Self.summary(document, database)
                return try OriginTable(database).files(
                    of: document, among: HistoryReach.pages(of: document, database))
            }
        }
    }

    /// The path of a file that the archive keeps, only for reading, after a check of its hash.
    ///
    /// - Throws: ``ArchiveError`` `damaged`.
    public func path(ofKept file: ImageHash) throws(ArchiveError) -> String {
        try images.checkedPath(of: file)
    }
}
