import Documents
import ExpectedFailures
import FileNames
import FoundationEssentials

/// A table whose rows are copied from one archive to another.
struct CopiedTable {
    /// Reads the rows of a document, or those after a number, with the columns in order.
    let reading: SQLText
    /// Writes one of those rows; an existing row stays.
    let writing: SQLText
    /// The types of the columns.
    let columns: [SQLValue.Kind]
    /// The columns whose texts are changed on the way, because they may name folders of this
    /// machine.
    var portable: [Int: @Sendable (String) -> String] = [:]

    func rows(of key: SQLValue, _ database: any ArchiveDatabase) throws -> [[SQLValue]] {
        try database.all(reading, [key]) { row in
            try columns.enumerated().map { index, kind in
                let column = Int32(index)
                if row.isNull(column) { return .null(kind) }
                return switch kind {
                case .integer: .integer(try row.integer(column))
                case .real: .real(try row.real(column))
                case .text: .text(try row.text(column))
                case .blob: .blob(try row.blob(column))
                }
            }
        }
    }

    func write(_ rows: [[SQLValue]], _ database: any ArchiveDatabase) throws {
        for var row in rows {
            for (column, change) in portable {
                if case .text(let text) = row[column] { row[column] = .text(change(text)) }
            }
            try database.run(writing, row)
        }
    }

    /// The JSON of a value after a change; damaged JSON stays as it is.
    private static func changed<Value: Codable>(
        _ json: String, _ change: (Value) -> Value
    ) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Without a slash, no folder is named.
        guard json.utf8.contains(UInt8(ascii: "/")),
            let text = ofKnownForm({
                try encoder.encode(
                    change(JSONDecoder().decode(Value.self, from: Data(json.utf8))))
            })
        else { return json }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: The tables

    static let document = CopiedTable(
        reading: """
            SELECT id, title, type, note, language, created, added, changed, trashed, saved, \
            pages, original, done, first, title_given, owner FROM document WHERE id = ?
            """,
        writing: """
            INSERT INTO document (id, title, type, note, language, created, added, changed, \
            trashed, saved, pages, original, done, first, title_given, owner)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
        columns: [
            .integer, .text, .text, .text, .text, .real, .real, .real, .real, .integer, .integer,
            .text, .integer, .integer, .integer, .text,
        ])

    /// A part of the history; `?` is the entry after which it begins.
    static let audit = CopiedTable(
        reading: """
            SELECT id, made, name, station, action, detail, document, title FROM audit
            WHERE id > ? ORDER BY id LIMIT 1000
            """,
        writing: """
            INSERT INTO audit (id, made, name, station, action, detail, document, title)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
        columns: [.integer, .real, .text, .text, .text, .text, .integer, .text])

    /// The pages that a document has or had; a page follows its sources.
    static let page = CopiedTable(
        reading: """
            SELECT page.id, image, thumbnail, width, height, resolution, text, provenance, \
            problems, uncut, uncut_turn, plain, look
            FROM holding JOIN page ON page.id = holding.page WHERE holding.document = ?
            ORDER BY CASE WHEN plain IS NOT NULL THEN 2 WHEN uncut IS NOT NULL THEN 1 ELSE 0 END,
                page.id
            """,
        writing: """
            INSERT INTO page (id, image, thumbnail, width, height, resolution, text, provenance, \
            problems, uncut, uncut_turn, plain, look)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
        columns: [
            .integer, .blob, .blob, .integer, .integer, .real, .blob, .text, .text, .integer,
            .integer, .integer, .text,
        ],
        portable: [7: portable(provenance:), 8: portable(problems:)])

    /// A page's provenance, into which an earlier version wrote the folders of files.
    @Sendable static func portable(provenance: String) -> String {
        changed(provenance) { (provenance: Provenance) in provenance }
    }

    /// A page's problems without folders.
    @Sendable static func portable(problems: String) -> String {
        changed(problems) { (problems: [String]) in problems.map(PlaceNames.removed) }
    }

    static let image = CopiedTable(
        reading: """
            SELECT hash, bytes, media FROM image WHERE hash IN (
                SELECT page.image FROM holding JOIN page ON page.id = holding.page
                    WHERE holding.document = ?1
                UNION SELECT page.thumbnail FROM holding JOIN page ON page.id = holding.page
                    WHERE holding.document = ?1
                UNION SELECT origin.file FROM holding JOIN origin ON origin.page = holding.page
                    WHERE holding.document = ?1)
            """,
        writing: "INSERT INTO image (hash, bytes, media) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        columns: [.blob, .integer, .text])

    /// The tables that refer to documents and pages, in the order in which they can be written.
    static let others = [
        CopiedTable(
            reading: """
                SELECT origin.page, file, name, number, area, likeness, added
                FROM holding JOIN origin ON origin.page = holding.page WHERE holding.document = ?
                """,
            writing: """
                INSERT INTO origin (page, file, name, number, area, likeness, added)
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            columns: [.integer, .blob, .text, .integer, .text, .integer, .blob]),
        CopiedTable(
            reading: "SELECT document, page FROM holding WHERE document = ?",
            writing: "INSERT INTO holding (document, page) VALUES (?, ?) ON CONFLICT DO NOTHING",
            columns: [.integer, .integer]),
        CopiedTable(
            reading: "SELECT document, number, made, actions FROM change WHERE document = ?",
            writing: "INSERT INTO change (document, number, made, actions) VALUES (?, ?, ?, ?)",
            columns: [.integer, .integer, .real, .text]),
        CopiedTable(
            reading: """
                SELECT document, sink, place, made, hash, remote FROM receipt WHERE document = ?
                ORDER BY made, id
                """,
            writing: """
                INSERT INTO receipt (document, sink, place, made, hash, remote)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            columns: [.integer, .text, .text, .real, .text, .text]),
        CopiedTable(
            reading: "SELECT job, pages, document FROM delivery WHERE document = ?",
            writing: "INSERT INTO delivery (job, pages, document) VALUES (?, ?, ?)",
            columns: [.text, .integer, .integer]),
    ]
}
