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
    /// index as small and quick as they can be.
    ///
    /// - Throws: ``ArchiveError``: `busy` while another program adds a document.
    public func compact() throws(ArchiveError) -> CompactReport {
        guard let own = ownFolder else { return try sweep() }
        try makeFolder(own.images.folder)
        let lock = try ImageLock.exclusive(own.lock)
        defer { withExtendedLifetime(lock) {} }
        let before = own.databaseBytes
        // First from the database, then from the disk: an interruption in between leaves a stray
        // file, never a page without its image.
        let kept = try access { database in
            try database.write {
                try database.run(
                    """
                    DELETE FROM image WHERE NOT EXISTS (SELECT 1 FROM page WHERE page.image = \
                    image.hash)
                        AND NOT EXISTS (SELECT 1 FROM page WHERE page.thumbnail = image.hash)
                        AND NOT EXISTS (SELECT 1 FROM origin WHERE origin.file = image.hash)
                    """)
                return Set(
                    try database.all("SELECT hash FROM image") { ImageHash(bytes: try $0.blob(0)) })
            }
        }
        var removed = 0
        var freed = 0
        try images.eachFile { file throws(ArchiveError) in
            guard file.hash.map({ !kept.contains($0) }) ?? true else { return }
            try images.remove(file.name)
            removed += 1
            freed += file.bytes
        }
        try access { database in
            try database.run("INSERT INTO search (search) VALUES ('optimize')")
            try database.run("VACUUM")
            try database.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        }
        return CompactReport(
            removedFiles: removed, freedBytes: freed + max(0, before - own.databaseBytes))
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
