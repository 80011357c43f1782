import CSQLite

/// A step from one version of the schema to the next.
struct Migration {
    /// The purpose of the step.
    let purpose: String
    /// Its statements.
    let script: StaticString
    /// Changes that SQL can't make, after the statements.
    var fill: @Sendable (Connection) throws -> Void = { _ in }
}

/// Brings a database to the schema of this program.
///
/// `user_version` counts the steps that were made; `application_id` distinguishes an archive from
/// other databases.
struct Migrator {
    /// "Cpst", as `file(1)` and SQLite's header know applications.
    static let applicationID: Int64 = 0x4370_7374

    let steps: [Migration]

    init(_ steps: [Migration] = ArchiveSchema.steps) { self.steps = steps }

    /// A database's version; 0 for an empty one.
    ///
    /// - Throws: ``ArchiveError`` `notAnArchive`, or `newerVersion`.
    func version(of database: Connection) throws -> Int {
        // Both are read from one state of the database, because another process may be creating the
        // archive at this moment.
        guard sqlite3_get_autocommit(database.handle) == 0 else {
            return try database.read { try self.version(of: database) }
        }
        let application = try database.first("PRAGMA application_id") { try $0.integer(0) } ?? 0
        let version = try database.first("PRAGMA user_version") { try $0.int(0) } ?? 0
        let tables =
            try database.first("SELECT count(*) FROM sqlite_schema") { try $0.int(0) } ?? 0
        guard version >= 0, application == Self.applicationID || (application == 0 && tables == 0)
        else {
            throw ArchiveError(
                .notAnArchive,
                "'\(database.path)' is a database of another program, not an archive. It was left as it is. "
                    + "Name another folder with --archive.")
        }
        guard version <= steps.count else {
            throw ArchiveError(
                .newerVersion,
                "The archive '\(database.path)' was written by a newer version of Copystand (schema \(version); this one knows "
                    + "\(steps.count)). It was left as it is. Install that version, or name another archive with --archive."
            )
        }
        try SchemaGuard.check(database, steps.prefix(version))
        return version
    }

    /// Runs the missing steps, each in a transaction of its own.
    func migrate(_ database: Connection) throws {
        guard try version(of: database) < steps.count else { return }
        while true {
            let isDone = try database.write { () throws -> Bool in
                // Another process may have run the step while this one waited for the lock.
                let version = try version(of: database)
                guard version < steps.count else { return true }
                try database.script(steps[version].script)
                try steps[version].fill(database)
                try Self.stamp(database, version: version + 1)
                return false
            }
            if isDone { return }
        }
    }

    /// Writes the two numbers; a pragma takes no bound values, so the statement is built from
    /// numbers.
    private static func stamp(_ database: Connection, version: Int) throws {
        let statements =
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)"
        let code = sqlite3_exec(database.handle, statements, nil, nil, nil)
        guard code == SQLITE_OK else { throw database.failure(statements) }
    }
}
