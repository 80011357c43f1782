import Documents
import FoundationEssentials

/// The imported files that pages come from, as stored in the table `origin`.
struct OriginTable {
    private let database: any ArchiveDatabase

    init(_ database: any ArchiveDatabase) { self.database = database }

    /// Notes which file a page comes from; the file is among the images.
    func insert(_ origin: FilePage, in file: ImageHash, of page: PageID) throws {
        let area = try origin.area.map {
            String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
        }
        try database.run(
            """
            INSERT INTO origin (page, file, name, number, area, likeness, added)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(page.rawValue), .blob(file.bytes), .text(origin.name),
                .integer(origin.number), .text(area), .integer(origin.likeness.rawValue),
                .blob(origin.addedText.map(PageTextCoding.encode)),
            ])
    }

    /// The file that a page comes from; nil for none.
    ///
    /// - Parameter withText: Whether the words that the file's page lacks are read as well.
    func load(
        _ page: PageID, withText: Bool = true
    ) throws -> (file: ImageHash, page: FilePage)? {
        let found = try database.first(
            """
            SELECT origin.file, origin.name, image.media, origin.number, origin.area, \
            origin.likeness, origin.added
            FROM origin JOIN image ON image.hash = origin.file WHERE origin.page = ?
            """, [.integer(page.rawValue)]
        ) { row -> (ImageHash, FilePage)? in
            guard let hash = ImageHash(bytes: try row.blob(0)) else { return nil }
            return (
                hash,
                FilePage(
                    name: try row.text(1), media: try row.text(2), number: try row.int(3),
                    area: row.isNull(4) ? nil : Self.area(try row.text(4)),
                    likeness: FilePage.Likeness(rawValue: try row.int(5)) ?? .part,
                    addedText: row.isNull(6) || !withText
                        ? nil : PageTextCoding.decode(try row.blob(6)))
            )
        }
        return found ?? nil
    }

    /// The files that a document's pages are or were of, in the order in which they came.
    func files(of document: Int64) throws -> [KeptOriginal] {
        let rows = try database.all(
            SQLText(
                sqlite: """
                    SELECT origin.file, origin.name, image.media, image.bytes
                    FROM holding JOIN origin ON origin.page = holding.page
                    JOIN image ON image.hash = origin.file
                    WHERE holding.document = ? GROUP BY origin.file ORDER BY min(origin.page)
                    """,
                postgresql: """
                    SELECT origin.file, (array_agg(origin.name ORDER BY origin.page))[1], \
                    image.media, image.bytes
                    FROM holding JOIN origin ON origin.page = holding.page
                    JOIN image ON image.hash = origin.file
                    WHERE holding.document = ? GROUP BY origin.file, image.media, image.bytes
                    ORDER BY min(origin.page)
                    """), [.integer(document)]
        ) { row -> KeptOriginal? in
            guard let hash = ImageHash(bytes: try row.blob(0)) else { return nil }
            return KeptOriginal(
                file: hash, name: try row.text(1), media: try row.text(2), bytes: try row.int(3))
        }
        return rows.compactMap { $0 }
    }

    /// The four numbers of an area; nil for anything else, which means the whole page.
    private static func area(_ text: String) -> [Double]? {
        let parts = try? JSONDecoder().decode([Double].self, from: Data(text.utf8))
        guard let parts, parts.count == 4, parts.allSatisfy((0...1).contains) else { return nil }
        return parts
    }
}
