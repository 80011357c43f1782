import FileNames

/// Finds what someone else has put into a database: a view in place of a table could run forever or
/// show other documents, and a trigger could change them.
enum SchemaGuard {
    /// The objects of a schema by name, each with the statement that made it.
    private typealias Statements = [(name: String, text: String)]

    /// Checks that a database has only what the steps up to its version make.
    ///
    /// Missing objects are not reported, since the statements that need them fail.
    ///
    /// - Parameter steps: The steps that the database has had.
    /// - Throws: ``ArchiveError`` `notAnArchive`, with the name of the foreign object.
    static func check(_ database: Connection, _ steps: ArraySlice<Migration>) throws {
        let found = try statements(of: database)
        if digest(of: found) == ArchiveSchema.digest { return }
        let made = try Connection(path: ":memory:", .create, patience: 0)
        for step in steps { try made.script(step.script) }
        let own = Dictionary(
            try statements(of: made).map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
        guard let foreign = found.first(where: { own[$0.name] != $0.text && !isOfSQLite($0) })
        else { return }
        throw ArchiveError(
            .notAnArchive,
            "The archive '\(database.path)' has '\(FileNames.shown(String(foreign.name.prefix(60))))', "
                + "which Copystand did not make, and which could change or hide documents. It was left as it is. "
                + "Get the archive again from where it came from, or put a backup in its place.")
    }

    /// The hash of a schema.
    static func digest(of database: Connection) throws -> String {
        digest(of: try statements(of: database))
    }

    private static func digest(of schema: Statements) -> String {
        let lines = schema.map { "\($0.name)\u{0}\($0.text)\u{0}" }.sorted()
        return ImageHash(of: Array(lines.joined().utf8)).hexadecimal
    }

    /// Everything but the indices that SQLite makes for keys, which have no statement.
    private static func statements(of database: Connection) throws -> Statements {
        try database.all("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL") {
            (try $0.text(0), try $0.text(1))
        }
    }

    /// True for the tables in which SQLite's `ANALYZE` notes how values are distributed.
    private static func isOfSQLite(_ made: (name: String, text: String)) -> Bool {
        made.text == "CREATE TABLE sqlite_stat1(tbl,idx,stat)"
            || made.text == "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"
    }
}
