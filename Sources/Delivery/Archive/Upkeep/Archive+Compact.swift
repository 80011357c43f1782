import ExpectedFailures
import Glibc

/// The result of compacting an archive.
public struct CompactReport: Hashable, Sendable {
    /// Images and imported files that no page uses anymore, and stray files.
    public let removedFiles: Int
    /// The bytes that are free again, in images and in the database.
    public let freedBytes: Int
}

extension Archive {
    /// Removes images and imported files that no page uses anymore, and makes the database and its
    /// index as small and quick as they can be, as far as the disk has room for that.
    ///
    /// - Throws: ``ArchiveError``: `busy` while another program adds a document.
    public func compact() throws(ArchiveError) -> CompactReport {
        try expectWholeSight()
        guard let own = ownFolder else { return try sweep() }
        let before = own.databaseBytes
        let removed = try freeing(isFinal: false) { () throws(ArchiveError) in
            try removeUnusedImages(own)
        }
        do {
            try access { database in
                try database.run("INSERT INTO search (search) VALUES ('optimize')")
                // The whole database goes through the temporary file.
                try database.run("PRAGMA temp_store = FILE")
                defer { cleaningUp { try database.run("PRAGMA temp_store = MEMORY") } }
                try database.run("VACUUM")
            }
        } catch  where error.code == .noSpace {
            // A smaller database is made next to the old one. Without room for both, its free pages
            // are used again by the next documents.
        }
        try access { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
        return CompactReport(
            removedFiles: removed.files,
            freedBytes: removed.bytes + max(0, before - own.databaseBytes))
    }
}

extension OwnFolder {
    fileprivate var databaseBytes: Int {
        ["", "-wal"].reduce(0) { sum, ending in
            var status = stat()
            return stat(database + ending, &status) == 0
                ? sum + Int(status.st_size) : sum
        }
    }
}
