/// A step from one version of a schema to the next.
public struct SchemaStep: Sendable {
    /// The purpose of the step.
    let purpose: String
    /// Its statements.
    let script: StaticString
    /// The lowest version whose programs may still use the tables after this step; nil for its own.
    let needs: Int?

    /// A step.
    ///
    /// - Parameter needs: the lowest version whose programs may still use the tables after it; the
    ///   step's own number by default. A lower one lets machines be upgraded one after another: the
    ///   step may then only add what older programs need not know.
    public init(purpose: String, script: StaticString, needs: Int? = nil) {
        self.purpose = purpose
        self.script = script
        self.needs = needs
    }
}

/// The tables of a schema, step by step, and the version that a database is at.
///
/// The table `version` of the schema has a row for each completed step. One process at a time runs
/// steps, under an advisory lock. A step that has been released is never changed; a change is
/// always a new step.
public struct SchemaSteps: Sendable {
    private let schema: String
    private let steps: [SchemaStep]

    /// The error for a database whose version is too new.
    public struct NewerVersion: Error, Hashable, Sendable {
        /// The database's version.
        public let found: Int
        /// The highest version that this program knows.
        public let known: Int
    }

    /// The steps of a schema.
    ///
    /// - Parameter schema: its name, of lowercase letters and underscores.
    public init(schema: String, _ steps: [SchemaStep]) {
        self.schema = schema
        self.steps = steps
    }

    /// The number of steps.
    public var count: Int { steps.count }

    /// A database's version; nil if the schema does not exist.
    ///
    /// - Throws: ``NewerVersion`` for one that this program may not use, ``PostgreSQLError``.
    public func version(_ database: PostgreSQLConnection) throws -> Int? {
        var isThere = false
        try database.each(
            """
            SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
            WHERE pg_namespace.nspname = $1 AND pg_class.relname = 'version'
                AND has_table_privilege(pg_class.oid, 'SELECT')
            """, [.text(schema)]
        ) { _ in isThere = true }
        guard isThere else { return nil }
        var found: (number: Int, needs: Int)?
        try database.each(
            "SELECT number, needs FROM \(schema).version ORDER BY number DESC LIMIT 1"
        ) { found = (Int(try $0.integer(0)), Int(try $0.integer(1))) }
        // Others write to the database, and a number below 1 is no step's.
        guard let (number, needs) = found, number > 0 else { return nil }
        guard needs <= steps.count else {
            throw NewerVersion(found: number, known: steps.count)
        }
        return number
    }

    /// Runs the missing steps, in the connection's current transaction.
    ///
    /// - Returns: the earlier version; nil if the schema did not exist.
    /// - Throws: ``NewerVersion``, ``PostgreSQLError``.
    @discardableResult
    public func make(_ database: PostgreSQLConnection) throws -> Int? {
        try database.each(
            "SELECT pg_advisory_xact_lock(hashtext('copystand schema'), hashtext($1))",
            [.text(schema)])
        // Another process may have run them while this one waited for the lock.
        let version = try version(database)
        if version == nil {
            try database.script(
                """
                CREATE SCHEMA IF NOT EXISTS \(schema);
                CREATE TABLE \(schema).version (
                    number BIGINT PRIMARY KEY, needs BIGINT NOT NULL, purpose TEXT NOT NULL,
                    made TIMESTAMPTZ NOT NULL DEFAULT now());
                """)
        }
        for (index, step) in steps.enumerated().dropFirst(version ?? 0) {
            try database.script("\(step.script)")
            try database.each(
                "INSERT INTO \(schema).version (number, needs, purpose) VALUES ($1, $2, $3)",
                [
                    .integer(Int64(index + 1)), .integer(Int64(step.needs ?? index + 1)),
                    .text(step.purpose),
                ])
        }
        return version
    }
}
