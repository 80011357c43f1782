import PostgreSQL

/// Makes an archive on a PostgreSQL server, and brings it to the schema of this program.
struct PostgreSQLMigrator {
    let address: PostgreSQLAddress
    let steps: SchemaSteps

    init(_ address: PostgreSQLAddress, steps: SchemaSteps = PostgreSQLSchema.steps) {
        self.address = address
        self.steps = steps
    }

    /// The version that the archive is at; nil where there is none.
    ///
    /// - Throws: `SchemaSteps.NewerVersion` for one that this program may not use.
    func version(_ database: PostgreSQLDatabase) throws -> Int? {
        try steps.version(database.connection)
    }

    /// Makes the archive, with the description of its image store.
    ///
    /// - Throws: ``ArchiveError`` `refused` when there is one.
    func create(_ database: PostgreSQLDatabase, images: String) throws {
        let encoding = try database.first("SHOW server_encoding") { try $0.text(0) }
        guard encoding == "UTF8" else {
            throw ArchiveError(
                .refused,
                "The database '\(address)' keeps texts in \(encoding ?? "an unknown encoding"), and an archive needs UTF8. "
                    + "Make another: createdb --encoding=UTF8 --template=template0 NAME")
        }
        try database.write {
            guard try make(database) == nil else {
                throw ArchiveError(
                    .refused, "There is an archive in '\(address)' already. Nothing was changed.")
            }
            try database.run("INSERT INTO store (id, images) VALUES (1, ?)", [.text(images)])
        }
    }

    /// Runs the missing steps, all in one transaction.
    func migrate(_ database: PostgreSQLDatabase) throws {
        _ = try database.write { try make(database) }
    }

    private func make(_ database: PostgreSQLDatabase) throws -> Int? {
        try steps.make(database.connection)
    }
}
