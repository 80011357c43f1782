import CSQLite
import FileNames
import Glibc
import GuardedFiles

/// The contents of a backup.
public struct BackupReport: Hashable, Sendable {
    /// The backup's folder, which opens as an archive.
    public let folder: String
    /// The number of documents, including those in the trash.
    public let documents: Int
    /// The number of image files.
    public let images: Int
    /// The images that could not be read and are missing from the backup, in words for people.
    public let problems: [String]
}

extension Archive {
    /// Copies the archive to a new folder, while others may continue to use it; the copy opens as
    /// an archive.
    ///
    /// The database is copied with SQLite's online backup (`sqlite3_backup_step`), at one moment,
    /// then every image that it names. The folder gets its name only once everything is in it and
    /// synced.
    ///
    /// - Throws: ``ArchiveError``: `refused` when something exists there, `noSpace`.
    public func backup(to target: String) throws(ArchiveError) -> BackupReport {
        try expectWholeSight()
        let (above, name) = try Self.place(of: target)
        guard above.isFree(name) else {
            throw ArchiveError(
                .refused,
                "'\(target)' already exists, and a backup replaces nothing. Name a new folder."
            )
        }
        let own = try folder(to: "back up")
        let lock = try ImageLock.shared(own.lock)
        defer { withExtendedLifetime(lock) {} }
        above.removeLeftovers { folder, _ in folder.isWorkFolder }
        let partial = WorkName.new(for: name)
        let work = try guarded("make the folder") { () throws(GuardedFileError) in
            try above.newWorkFolder(partial)
        }
        do throws(ArchiveError) {
            let report = try copy(own, to: work, named: target)
            try guarded("make the folder") { () throws(GuardedFileError) in
                try above.rename(work: work, partial, as: name)
                try above.sync()
            }
            return report
        } catch {
            above.removeFolder(partial, work)
            throw error
        }
    }

    /// The open folder above a new folder, which is made if it is missing, and the name in it.
    private static func place(
        of target: String
    ) throws(ArchiveError) -> (folder: GuardedFolder, name: String) {
        var path = Substring(target)
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
        let parent = String(path).parent
        if GuardedFolder.status(at: parent) == nil { try makeFolder(parent) }
        return try guarded("open the folder") { () throws(GuardedFileError) in
            try GuardedFolder.above(String(path))
        }
    }

    /// Copies the archive into an open folder: others may put something else under its name.
    private func copy(
        _ own: OwnFolder, to work: GuardedFolder, named target: String
    ) throws(ArchiveError) -> BackupReport {
        do throws(ArchiveError) { return try copy(own, at: work.openPath, named: target) } catch {
            // People know the folder by its name.
            let words = ["/", "'"].reduce(error.message) {
                $0.replacing(work.openPath + $1, with: work.path + $1)
            }
            throw ArchiveError(error.code, words)
        }
    }

    private func copy(
        _ own: OwnFolder, at partial: String, named target: String
    ) throws(ArchiveError) -> BackupReport {
        try sqlite { source in
            let copy = try Connection(
                path: partial + "/archive.sqlite", .create, patience: 10_000)
            guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main")
            else { throw copy.failure("backup") }
            sqlite3_backup_step(backup, -1)
            guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw copy.failure("backup") }
        }
        let copy = try Archive(
            folder: partial, .readWrite, migrator: Migrator(), reserves: false)
        try copy.access { try Self.removeFolders($0) }
        try makeFolder(partial + "/images")
        let (hashes, documents) = try copy.access { database in
            (
                try database.all("SELECT hash FROM image") { ImageHash(bytes: try $0.blob(0)) },
                try database.first("SELECT count(*) FROM document") { try $0.int(0) } ?? 0
            )
        }
        var problems: [String] = []
        var count = 0
        for hash in hashes.compactMap({ $0 }) {
            let path: String
            do { path = try own.images.checkedPath(of: hash) } catch {
                guard error.code == .damaged else { throw error }
                problems.append(error.message)
                continue
            }
            _ = try copy.images.add(fileAt: path) { _, _ in }
            count += 1
        }
        try copy.access { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
        copy.ownFolder?.reserve.make()
        try syncFolder(partial)
        return BackupReport(
            folder: target, documents: documents, images: count, problems: problems)
    }

    /// Removes the folders that an earlier version wrote into pages, a thousand pages at a time.
    private static func removeFolders(_ database: any ArchiveDatabase) throws {
        // Otherwise the old texts would remain in the file's free space.
        try database.each("PRAGMA secure_delete = ON") { _ in }
        var last: Int64 = .min
        while true {
            let pages = try database.all(
                """
                SELECT id, provenance, problems FROM page
                WHERE id > ? AND (instr(provenance, '/') > 0 OR instr(problems, '/') > 0)
                ORDER BY id LIMIT 1000
                """, [.integer(last)]
            ) { (id: try $0.integer(0), provenance: try $0.text(1), problems: try $0.text(2)) }
            guard let end = pages.last?.id else { return }
            last = end
            try database.write {
                for page in pages {
                    let provenance = CopiedTable.portable(provenance: page.provenance)
                    let problems = CopiedTable.portable(problems: page.problems)
                    guard (provenance, problems) != (page.provenance, page.problems) else {
                        continue
                    }
                    try database.run(
                        "UPDATE page SET provenance = ?, problems = ? WHERE id = ?",
                        [.text(provenance), .text(problems), .integer(page.id)])
                }
            }
        }
    }
}
