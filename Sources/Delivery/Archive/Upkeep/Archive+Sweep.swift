import PostgreSQL

extension Archive {
    /// The seconds for which an image without a page is kept.
    private static let gracePeriod = 86_400.0
    /// The maximum number of stray files that are removed at once: a store's list may have any
    /// length.
    private static let mostStray = 100_000

    /// Removes the images that no page has, and files that no row names, if they are older than a
    /// day.
    ///
    /// Each is removed under the lock of its row, so that no other machine counts on it meanwhile.
    func sweep() throws(ArchiveError) -> CompactReport {
        var removed = 0
        var freed = 0
        for hash in try access({ try $0.all(Self.unusedImages) { try $0.blob(0) } }) {
            guard let image = ImageHash(bytes: hash) else { continue }
            let bytes = try access { database in
                do {
                    return try database.write { try self.removeUnused(image, database) }
                } catch let error as PostgreSQLError where error.kind == .constraint {
                    // A page uses the image again, so nothing was removed.
                    return nil
                }
            }
            if let bytes { (removed, freed) = (removed + 1, sum(freed, bytes)) }
        }
        var stray: [StoredImage] = []
        try images.eachFile { file in
            if file.age > Self.gracePeriod, stray.count < Self.mostStray { stray.append(file) }
        }
        for file in stray {
            let isRemoved = try access { database in
                try database.write { try self.removeStray(file, database) }
            }
            if isRemoved { (removed, freed) = (removed + 1, sum(freed, file.bytes)) }
        }
        return CompactReport(removedFiles: removed, freedBytes: freed)
    }

    private static let unusedImages: SQLText = """
        SELECT hash FROM image WHERE touched < now() - interval '1 day'
            AND NOT EXISTS (SELECT 1 FROM page WHERE page.image = image.hash)
            AND NOT EXISTS (SELECT 1 FROM page WHERE page.thumbnail = image.hash)
            AND NOT EXISTS (SELECT 1 FROM origin WHERE origin.file = image.hash)
            AND NOT EXISTS (SELECT 1 FROM left_page WHERE left_page.picture = image.hash)
            AND NOT EXISTS (SELECT 1 FROM left_page WHERE left_page.original = image.hash)
        """

    /// Removes an image if it is still unused; returns its size in bytes, or nil.
    private func removeUnused(
        _ image: ImageHash, _ database: any ArchiveDatabase
    ) throws -> Int? {
        let bytes = try database.first(
            """
            SELECT bytes FROM image WHERE hash = ? AND touched < now() - interval '1 day'
            FOR UPDATE SKIP LOCKED
            """, [.blob(image.bytes)]
        ) { try $0.int(0) }
        guard let bytes else { return nil }
        try database.run("DELETE FROM image WHERE hash = ?", [.blob(image.bytes)])
        try images.remove(images.name(of: image))
        return bytes
    }

    /// Removes a file that no row names; returns whether it did.
    private func removeStray(
        _ file: StoredImage, _ database: any ArchiveDatabase
    ) throws -> Bool {
        if let hash = file.hash {
            // A process that adds the image now waits for this row.
            try database.run(
                """
                INSERT INTO image (hash, bytes, media) VALUES (?, 0, '') ON CONFLICT DO NOTHING
                """, [.blob(hash.bytes)])
            guard database.changes == 1 else { return false }
            try images.remove(file.name)
            try database.run("DELETE FROM image WHERE hash = ?", [.blob(hash.bytes)])
        } else {
            try images.remove(file.name)
        }
        return true
    }
}

/// The sum of two sizes, each of which may be any number: others write to the database and the
/// store.
private func sum(_ first: Int, _ second: Int) -> Int {
    let (total, isOver) = first.addingReportingOverflow(max(0, second))
    return isOver ? .max : total
}
