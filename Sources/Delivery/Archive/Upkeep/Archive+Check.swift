import Documents

/// The result of checking an archive.
public struct CheckReport: Hashable, Sendable {
    /// The number of documents, including those in the trash.
    public internal(set) var documents = 0
    /// The number of captured pages.
    public internal(set) var pages = 0
    /// The number of image files that were read and compared with their hashes.
    public internal(set) var images = 0
    /// The number of files in the images' folder that belong to no page: left by an interrupted
    /// addition, and removed by ``Archive/compact()``.
    public internal(set) var strayFiles = 0
    /// The problems for users, each with its document if known; empty for a sound archive.
    public internal(set) var problems: [String] = []
    /// The parts that could not be checked, with the reasons, for users; empty for none.
    public internal(set) var unchecked: [String] = []
}

extension Archive {
    /// Checks everything: SQLite's structure, foreign keys, the index against the text, every
    /// history against the tables, every image against its hash.
    ///
    /// - Throws: ``ArchiveError`` only when the archive can't be read at all.
    public func check() throws(ArchiveError) -> CheckReport {
        try expectWholeSight()
        var report = try access { database in
            var report = CheckReport()
            if let database = database as? Connection { report.checkFile(database) }
            report.attempt("the documents") { try $0.checkDocuments(database) }
            return report
        }
        let known = try access { database in
            try database.all(
                Self.imagesWithDocuments
            ) { (try $0.blob(0), try $0.int(1), $0.isNull(2) ? nil : try $0.text(2)) }
        }
        var hashes = Set<ImageHash>()
        for (bytes, _, documents) in known {
            guard let hash = ImageHash(bytes: bytes) else { continue }
            hashes.insert(hash)
            report.images += 1
            if let fault = images.fault(of: hash) {
                report.problems.append(
                    fault + (documents.map { " It belongs to document \($0)." } ?? ""))
            }
        }
        var stray = 0
        try images.eachFile { file in
            if file.hash.map({ !hashes.contains($0) }) ?? true { stray += 1 }
        }
        report.strayFiles = stray
        return report
    }

    private static let imagesWithDocuments = SQLText(
        sqlite: """
            SELECT image.hash, image.bytes, (
                SELECT group_concat(DISTINCT holding.document) FROM page JOIN holding ON \
                holding.page = page.id
                WHERE page.image = image.hash OR page.thumbnail = image.hash
                OR page.id IN (SELECT origin.page FROM origin WHERE origin.file = image.hash))
            FROM image
            """,
        postgresql: """
            SELECT hash, bytes, string_agg(DISTINCT document::text, ',') FROM (
                SELECT image.hash, image.bytes, page.id FROM image
                    JOIN page ON page.image = image.hash
                UNION ALL SELECT image.hash, image.bytes, page.id FROM image
                    JOIN page ON page.thumbnail = image.hash
                UNION ALL SELECT image.hash, image.bytes, origin.page FROM image
                    JOIN origin ON origin.file = image.hash
                UNION ALL SELECT image.hash, image.bytes, NULL FROM image
                    JOIN left_page ON image.hash IN (left_page.picture, left_page.original)
            ) AS shown LEFT JOIN holding ON holding.page = shown.id GROUP BY hash, bytes
            """)
}

extension CheckReport {
    /// Runs a part of the check; that it can't be run is itself a finding.
    fileprivate mutating func attempt(_ what: String, _ part: (inout CheckReport) throws -> Void) {
        do { try part(&self) } catch {
            let reason =
                (error as? DatabaseError).map { "\($0.message), SQLite error \($0.code)" }
                ?? (error as? ArchiveError)?.message ?? "\(error)"
            problems.append("The check found \(what) unreadable or inconsistent: \(reason)")
        }
    }

    /// Checks what SQLite itself knows of its file.
    fileprivate mutating func checkFile(_ database: Connection) {
        attempt("the structure of the database") { report in
            for line in try database.all("PRAGMA integrity_check", [], { try $0.text(0) })
            where line != "ok" {
                report.problems.append("The database is damaged: \(line)")
            }
        }
        attempt("the links between tables") { report in
            for (table, row) in try database.all(
                "PRAGMA foreign_key_check", [],
                { (try $0.text(0), $0.isNull(1) ? "?" : String(try $0.integer(1))) })
            {
                report.problems.append(
                    "Row \(row) of '\(table)' refers to something that does not exist.")
            }
        }
        attempt("the index") { report in
            do {
                try database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
            } catch let error as DatabaseError where error.primaryCode == 8 {
                report.unchecked.append(
                    "The index was not checked, because the archive can't be written.")
            }
        }
    }

    /// Compares each document in the tables with its history.
    fileprivate mutating func checkDocuments(_ database: any ArchiveDatabase) throws {
        pages =
            try database.first(
                "SELECT count(*) FROM page WHERE id NOT IN (SELECT uncut FROM page WHERE uncut IS NOT NULL)"
            ) { try $0.int(0) } ?? 0
        for id in try database.all("SELECT id FROM document ORDER BY id", [], { try $0.integer(0) })
        {
            documents += 1
            attempt("document \(id)") { report in
                let review = try HistoryTable(database).load(database.see(id)).current
                let leaves = try database.all(
                    "SELECT page, position FROM leaf WHERE document = ? ORDER BY position",
                    [.integer(id)]
                ) { (PageID(rawValue: try $0.integer(0)), try $0.int(1)) }
                let isTrue =
                    leaves.map(\.0) == review.pages.map(\.id)
                    && leaves.map(\.1) == Array(review.pages.indices)
                if !isTrue {
                    report.problems.append(
                        "Document \(id): its pages do not match its history.")
                }
                for page in review.pages {
                    _ = try PageTable(database).load(page.id)
                    _ = try PageTable(database).text(page)
                    _ = try OriginTable(database).load(page.id)
                }
            }
        }
    }
}
