import Documents
import ExpectedFailures
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

    /// The files that a document's pages are or were from, in the order in which they were added.
    ///
    /// - Parameter pages: the pages that the user may bring back in the document; nil for all.
    func files(of document: SeenDocument, among pages: Set<PageID>?) throws -> [KeptOriginal] {
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
                    """), [document.value]
        ) { row -> KeptOriginal? in
            guard let hash = ImageHash(bytes: try row.blob(0)) else { return nil }
            return KeptOriginal(
                file: hash, name: try row.text(1), media: try row.text(2), bytes: try row.int(3))
        }
        let files = rows.compactMap { $0 }
        guard let pages else { return files }
        return try files.filter { try isOpen($0.file, document, pages) }
    }

    /// True if a document shows a page of a file, and nobody else got another one of its pages.
    private func isOpen(
        _ file: ImageHash, _ document: SeenDocument, _ pages: Set<PageID>
    ) throws -> Bool {
        let known = try database.all(
            """
            SELECT DISTINCT origin.page, origin.number FROM origin
            JOIN holding ON holding.page = origin.page
            WHERE origin.file = ?1 AND holding.document IN (
                SELECT other.document FROM holding mine
                JOIN origin source ON source.page = mine.page
                JOIN holding other ON other.page = mine.page
                WHERE mine.document = ?2 AND source.file = ?1)
            """, [.blob(file.bytes), document.value]
        ) { (page: PageID(rawValue: try $0.integer(0)), number: try $0.int(1)) }
        let numbers = Set(known.filter { pages.contains($0.page) }.map(\.number))
        return try !numbers.isEmpty
            && known.allSatisfy { page, number in
                if numbers.contains(number) { return true }
                if case .hidden = try database.sight(of: page) { return false }
                return true
            }
    }

    /// The four numbers of an area; nil for anything else, which means the whole page.
    private static func area(_ text: String) -> [Double]? {
        let parts = ofKnownForm {
            try JSONDecoder().decode([Double].self, from: Data(text.utf8))
        }
        guard let parts, parts.count == 4, parts.allSatisfy((0...1).contains) else { return nil }
        return parts
    }
}

/// An imported file that the archive keeps unchanged.
public struct KeptOriginal: Hashable, Sendable {
    /// The file's id in the archive; ``Archive/openImage(_:)`` opens it.
    public let file: ImageHash
    /// The file's name, as reported by the import.
    public let name: String
    /// The file's media type, such as `application/pdf`.
    public let media: String
    /// The file's size in bytes.
    public let bytes: Int
}
