import CSQLite
import FileNames
import Glibc

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
        var status = stat()
        guard lstat(target, &status) != 0 else {
            throw ArchiveError(
                .refused,
                "'\(target)' already exists, and a backup replaces nothing. Name a new folder."
            )
        }
        let own = try folder(to: "back up")
        let lock = try ImageLock.shared(own.lock)
        defer { withExtendedLifetime(lock) {} }
        var last = Substring(target)
        while last.utf8.count > 1, last.utf8.last == UInt8(ascii: "/") { last = last.dropLast() }
        let place = String(last).parent
        WorkName.removeLeftovers(in: place)
        let partial =
            place + "/" + WorkName.new(for: last.split(separator: "/").last.map(String.init) ?? "")
        try makeFolder(partial)
        do throws(ArchiveError) {
            let report = try copy(own, to: partial, named: target)
            // rename(2) replaces an empty folder that appeared meanwhile, and refuses any other.
            guard rename(partial, target) == 0 else {
                throw ArchiveError.system(errno, "make the folder", target)
            }
            try syncFolder(target.parent)
            return report
        } catch {
            removeTree(partial)
            throw error
        }
    }

    private func copy(
        _ own: OwnFolder, to partial: String, named target: String
    ) throws(ArchiveError) -> BackupReport {
        try sqlite { source in
            let copy = try Connection(
                path: partial + "/archive.sqlite", .create, patience: 10_000)
            guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main")
            else { throw copy.failure("backup") }
            sqlite3_backup_step(backup, -1)
            guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw copy.failure("backup") }
        }
        chmod(partial + "/archive.sqlite", 0o600)
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
