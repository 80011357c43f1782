import ExpectedFailures

extension Archive {
    /// Runs a deletion; if the disk is full, again after making room for it.
    ///
    /// - Parameter isFinal: true if the deletion leaves images that no page uses, which are then
    ///   removed if the disk is nearly full.
    func freeing<Value>(
        isFinal: Bool = true, _ body: () throws(ArchiveError) -> Value
    ) throws(ArchiveError) -> Value {
        guard let own = ownFolder else { return try body() }
        defer { own.reserve.takeBack() }
        var hasMadeRoom = false
        let value: Value
        do { value = try body() } catch {
            guard error.code == .noSpace, makeRoom(own) else { throw error }
            hasMadeRoom = true
            value = try body()
        }
        if own.reserve.isNeeded, isFinal || hasMadeRoom {
            cleaningUp { try removeUnusedImages(own) }
        }
        if hasMadeRoom {
            // The log must not permanently take the space that the reserve had.
            cleaningUp {
                try access { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
            }
        }
        return value
    }

    /// Gives up the reserve; without one, removes the files of images that no page uses.
    ///
    /// - Returns: True if something became free.
    private func makeRoom(_ own: OwnFolder) -> Bool {
        if own.reserve.giveUp() { return true }
        guard let lock = reportedLater({ try ImageLock.exclusive(own.lock) }) else { return false }
        defer { withExtendedLifetime(lock) {} }
        do {
            // The database still names such images. They are forgotten as soon as the file can be
            // written.
            let used = try access { database in
                Set(try database.all(Self.usedImages) { ImageHash(bytes: try $0.blob(0)) })
            }
            return try removeFiles(own, except: used).files > 0
        } catch { return false }
    }

    /// Removes images and imported files that no page uses anymore.
    ///
    /// - Throws: ``ArchiveError``: `busy` while another program adds a document.
    func removeUnusedImages(
        _ own: OwnFolder
    ) throws(ArchiveError) -> (files: Int, bytes: Int) {
        try makeFolder(own.images.folder)
        let lock = try ImageLock.exclusive(own.lock)
        defer { withExtendedLifetime(lock) {} }
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
        return try removeFiles(own, except: kept)
    }

    private static let usedImages: SQLText = """
        SELECT image FROM page UNION SELECT thumbnail FROM page WHERE thumbnail IS NOT NULL
        UNION SELECT file FROM origin
        """

    /// The caller has the lock.
    private func removeFiles(
        _ own: OwnFolder, except kept: Set<ImageHash?>
    ) throws(ArchiveError) -> (files: Int, bytes: Int) {
        var (files, bytes) = (0, 0)
        try images.eachFile { file throws(ArchiveError) in
            guard file.hash.map({ !kept.contains($0) }) ?? true else { return }
            try images.remove(file.name)
            files += 1
            bytes += file.bytes
        }
        return (files, bytes)
    }
}
