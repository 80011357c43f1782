import CSQLite
import ExpectedFailures
import Glibc
import GuardedFiles
import UserFiles

extension Archive {
    /// Opens an archive in a folder, and updates one of an older version where it may be written.
    ///
    /// - Parameter patience: The milliseconds that a call waits for other writers; 10,000 by
    ///   default.
    /// - Throws: ``ArchiveError``: `missing`, `folderUnusable`, `readOnly`, `damaged`,
    ///   `notAnArchive`, `newerVersion`, `busy`.
    public convenience init(
        folder: String, _ access: Access, patience: Int = 10_000
    ) throws(ArchiveError) {
        try self.init(folder: folder, access, patience: patience, migrator: Migrator())
    }

    convenience init(
        folder: String, _ access: Access, patience: Int = 10_000, migrator: Migrator,
        disk: ImageDisk = ImageDisk(), images: (any ImageStore)? = nil, reserves: Bool = true
    ) throws(ArchiveError) {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let path = folder + "/archive.sqlite"
        if access == .create {
            try makeFolder(folder)
            if Glibc.access(path, F_OK) != 0, let notice = Self.ownerNotice(of: folder) {
                throw ArchiveError(
                    .folderUnusable, "No archive is made there: \(notice) Or name another folder.")
            }
        } else if Glibc.access(path, F_OK) != 0 {
            if errno == ENOTDIR {
                throw ArchiveError(
                    .folderUnusable,
                    "'\(folder)' is not a folder, so there is no archive in it. Name another with --archive."
                )
            }
            throw ArchiveError(
                .missing,
                "There is no archive in '\(folder)'. 'copystand scan' makes one with its first document, or name another with "
                    + "--archive.")
        }
        let connections: SingleConnection
        do {
            connections = try SingleConnection(patience: patience) {
                try Self.open(path, access, patience: Int32(clamping: patience), migrator: migrator)
            }
        } catch {
            throw .wrapping(error, path: path)
        }
        let own = OwnFolder(
            path: folder,
            images: ImageFolder(folder: folder + "/images", disk: disk, isInArchive: true))
        if access != .readOnly { try? own.images.root().removeLeftovers() }
        // A backup that is only read until the disk is full needs the reserve, too.
        if reserves, access != .readOnly || Self.isOwn(folder) { own.reserve.make() }
        self.init(
            place: folder, images: images ?? own.images, ownFolder: own, connections: connections
        ) {
            () throws(ArchiveError) in
            try makeFolder(own.images.folder)
            return try ImageLock.shared(own.lock)
        }
    }

    /// The message about an archive whose folder belongs to another user, who could change
    /// what is in it; nil for a folder of this user or of root, and for none.
    public static func ownerNotice(of folder: String) -> String? {
        var status = stat()
        guard !isShared(folder), stat(folder, &status) == 0, status.st_uid != geteuid(),
            status.st_uid != 0
        else { return nil }
        let owner = userName(status.st_uid) ?? "number \(status.st_uid)"
        return
            "'\(folder)' belongs to the user \(owner), who can change what is in it. Take it over with: sudo chown -R $USER \(shellWord(folder))"
    }

    private static func open(
        _ path: String, _ access: Access, patience: Int32, migrator: Migrator
    ) throws -> OpenedDatabase {
        try checkFiles(of: path)
        var status = stat()
        // SQLite mistakes a file shorter than its minimum page for an empty one, and would
        // overwrite it.
        if stat(path, &status) == 0, (1..<512).contains(status.st_size) {
            throw DatabaseError(code: SQLITE_NOTADB, message: "too short", operation: "open")
        }
        guard access != .readOnly else { return try reading(path, patience, migrator) }
        do {
            return OpenedDatabase(
                connection: try writing(path, access, patience: patience, migrator))
        } catch  where access == .readWrite && isRefused(error, path) {
            // Everything can be read, and each change fails with the reason.
            var opened = try reading(path, patience, migrator)
            (opened.isLasting, opened.refusal) = (false, error)
            return opened
        }
    }

    /// A connection that reads and writes.
    private static func writing(
        _ path: String, _ access: Access, patience: Int32, _ migrator: Migrator
    ) throws -> Connection {
        // SQLite writes files next to the database; without permission, it would only report that
        // it can't open the database.
        guard isWritable(path.parent) else {
            throw ArchiveError(
                DatabaseError(code: SQLITE_READONLY, message: "", operation: "open"), path: path)
        }
        // Pages of documents are private: no one else may read the files that are made here.
        let connection = try Connection(
            path: path, access == .create ? .create : .readWrite, patience: patience)
        fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW)
        _ = try migrator.version(of: connection)
        try keepLog(connection, lockPath: path.parent + "/images.lock")
        // A document is durable when its transaction has been committed.
        try connection.run("PRAGMA synchronous = FULL")
        try migrator.migrate(connection)
        try connection.checkFolder()
        return connection
    }

    /// Checks that SQLite will open regular files only: a link could lead to a file of another
    /// program, and a pipe would wait.
    ///
    /// SQLite's locks are on the database and its `-shm`: they are not opened, since closing one
    /// would release its locks.
    static func checkFiles(of database: String) throws(ArchiveError) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            var status = stat()
            guard lstat(database + ending, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
                continue
            }
            throw ArchiveError(
                .folderUnusable,
                "'\(database + ending)' is \(fileKind(status.st_mode)), not a file. Move it away, or name another archive with --archive."
            )
        }
        try checkJournal(database + "-journal")
    }

    /// Checks that a journal names no second one: SQLite deletes that, whatever file it is.
    private static func checkJournal(_ path: String) throws(ArchiveError) {
        // One that is missing or can't be read is SQLite's to report.
        guard let (file, status) = try? GuardedFolder.openFile(at: path) else { return }
        defer { close(file) }
        // What a journal ends with if it names another one.
        let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        var end = [UInt8](repeating: 0, count: mark.count)
        guard status.st_size >= 16, pread(file, &end, end.count, status.st_size - 8) == end.count,
            end == mark
        else { return }
        throw ArchiveError(
            .folderUnusable,
            "'\(path)' names another file, which opening the archive would delete. Move it away, or name another archive with --archive."
        )
    }

    /// A connection that only reads.
    ///
    /// - Throws: ``ArchiveError``: `missing` for an archive whose creation was interrupted,
    ///   `readOnly` for one of an older version.
    private static func reading(
        _ path: String, _ patience: Int32, _ migrator: Migrator
    ) throws -> OpenedDatabase {
        func connection(_ access: Connection.Access) throws -> Connection {
            let connection = try Connection(path: path, access, patience: patience)
            try checkVersion(of: connection, migrator)
            return connection
        }
        // Without its -wal file no one is writing; then a read-only folder is no problem.
        if Glibc.access(path + "-wal", F_OK) != 0, !isWritable(path.parent) {
            let files = StillFiles(path)
            return OpenedDatabase(
                connection: try connection(.immutable), isLasting: false, files: files)
        }
        do { return OpenedDatabase(connection: try connection(.readOnly)) } catch {
            var failure = error
            if isUnfinished(error), isWritable(path.parent) {
                do {
                    // A process that made or changed it was killed: its unfinished work is
                    // completed now.
                    _ = try writing(path, .readWrite, patience: patience, migrator)
                    return OpenedDatabase(connection: try connection(.readOnly))
                } catch { failure = error }
            }
            guard isRefused(failure, path) else { throw failure }
            if Glibc.access(path + "-shm", F_OK) == 0,
                let connection = ifSupported({ try Self.undisturbed { try connection(.roomless) } })
            {
                return OpenedDatabase(connection: connection, isLasting: false)
            }
            // Without room for another file, no one else can open it to write, either.
            let files = StillFiles(path)
            guard files.hasNoLog else { throw failure }
            return OpenedDatabase(
                connection: try connection(.immutable), isLasting: false, files: files)
        }
    }

    /// Tries for a second, since others who open the database at the same moment are in the way.
    private static func undisturbed<Value>(_ body: () throws -> Value) throws -> Value {
        for _ in 0..<100 {
            do { return try body() } catch let error as DatabaseError
                where error.primaryCode == SQLITE_READONLY
            { sqlite3_sleep(10) }
        }
        return try body()
    }

    private static func checkVersion(of connection: Connection, _ migrator: Migrator) throws {
        let path = connection.path
        let version = try migrator.version(of: connection)
        guard version > 0 || migrator.steps.isEmpty else {
            throw ArchiveError(
                .missing,
                "The archive '\(path)' is not finished: the program that was making it was stopped. "
                    + "It holds no documents. 'copystand scan' finishes it, as a user who may write to its folder."
            )
        }
        guard version == migrator.steps.count else {
            throw ArchiveError(
                .readOnly,
                "The archive '\(path)' is of an older version (\(version)) and has to be brought up to date, but can't be "
                    + "written. Change its permissions.")
        }
    }

    /// True if the disk, or the user's permission, is the reason of a failure.
    private static func isRefused(_ error: any Error, _ path: String) -> Bool {
        switch error {
        case let error as ArchiveError: error.code == .noSpace || error.code == .readOnly
        case let error as DatabaseError:
            error.refusal(at: path) != nil || error.primaryCode == SQLITE_READONLY
        default: false
        }
    }

    /// True if an archive can't be read because of unfinished work, which a user with write
    /// permission can complete.
    private static func isUnfinished(_ error: any Error) -> Bool {
        switch error {
        case let error as ArchiveError: error.code == .missing || error.code == .readOnly
        // A journal that was left has to be rolled back first; a log has to be made for a reader.
        case let error as DatabaseError:
            error.primaryCode == SQLITE_READONLY || error.primaryCode == SQLITE_CANTOPEN
        default: false
        }
    }

    private static func isOwn(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_uid == geteuid() && isWritable(folder)
    }

    private static func isWritable(_ folder: String) -> Bool {
        faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0
    }

    /// Changes the database to write-ahead logging, which it then keeps.
    ///
    /// Only one process at a time does this: two could each hold a lock that the other waits for,
    /// and SQLite then gives up immediately, however patient it is.
    private static func keepLog(_ connection: Connection, lockPath: String) throws {
        let mode = try connection.first("PRAGMA journal_mode") { try $0.text(0) }
        if mode == "wal" { return }
        let lock = try ImageLock.waiting(lockPath)
        try withExtendedLifetime(lock) { try connection.run("PRAGMA journal_mode = WAL") }
    }

    /// Runs `body` with the connection to the SQLite file.
    func sqlite<Value: Sendable>(
        _ body: (Connection) throws -> Value
    ) throws(ArchiveError) -> Value {
        try access { database in
            guard let database = database as? Connection else {
                throw ArchiveError(.refused, "The archive '\(place)' is not in a folder.")
            }
            return try body(database)
        }
    }
}
