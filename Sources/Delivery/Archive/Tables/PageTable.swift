import Documents
import FileNames
import FoundationEssentials

/// Captured pages, as the table `page` holds them.
struct PageTable {
    private let database: any ArchiveDatabase

    init(_ database: any ArchiveDatabase) { self.database = database }

    /// A page's text as it is stored; nil when nothing was read.
    func storedText(_ page: PageID) throws -> [UInt8]? {
        try database.first(
            "SELECT text FROM page WHERE id = ?", [.integer(page.rawValue)]
        ) { row in try row.optional(0) { try row.blob($0) } }
            ?? nil
    }

    /// A captured page with the hashes of its picture and thumbnail, without its text.
    func load(_ page: PageID) throws -> CapturedRow {
        let decoder = JSONDecoder()
        let found = try database.first(
            """
            SELECT page.image, image.media, page.thumbnail, page.width, page.height, \
            page.resolution, page.provenance,
                page.problems, page.uncut, page.uncut_turn, page.plain, page.look
            FROM page JOIN image ON image.hash = page.image WHERE page.id = ?
            """, [.integer(page.rawValue)]
        ) { row in
            guard let hash = ImageHash(bytes: try row.blob(0)) else {
                throw Self.damaged(page, "its image has no hash")
            }
            let provenance: Provenance
            let problems: [String]
            do {
                provenance = try decoder.decode(
                    Provenance.self, from: Data(try row.text(6).utf8))
                problems = try decoder.decode([String].self, from: Data(try row.text(7).utf8))
            } catch let error as DecodingError {
                throw Self.damaged(page, "in what is known about it, \(jsonFault(error))")
            }
            return CapturedRow(
                image: hash, media: try row.text(1),
                thumbnail: row.isNull(2) ? nil : ImageHash(bytes: try row.blob(2)),
                width: try row.int(3), height: try row.int(4), resolution: try row.real(5),
                provenance: provenance, problems: problems,
                uncut: row.isNull(8)
                    ? nil
                    : (
                        PageID(rawValue: try row.integer(8)),
                        PageTurn(rawValue: try row.int(9)) ?? .none
                    ),
                plain: row.isNull(10) ? nil : PageID(rawValue: try row.integer(10)),
                look: row.isNull(11) ? nil : PageLook(rawValue: try row.text(11)))
        }
        guard let found else { throw Self.damaged(page, "it is missing") }
        return found
    }

    /// A page's text, as corrected or as it was read, in pixels of the captured picture; nil when
    /// nothing was read.
    func text(_ page: ReviewedPage) throws -> PageText? {
        if let corrected = page.text { return corrected }
        guard let stored = try storedText(page.id) else { return nil }
        guard let text = PageTextCoding.decode(stored) else { throw Self.damagedText(page.id) }
        return text
    }

    static func damagedText(_ page: PageID) -> ArchiveError {
        damaged(page, "its text can't be read")
    }

    private static func damaged(_ page: PageID, _ what: String) -> ArchiveError {
        ArchiveError(
            .damaged,
            "Page \(page.rawValue) of the archive is damaged: \(what). Restore a backup, or save what is still readable in a "
                + "new archive with 'copystand archive recover FOLDER --archive NEW'.")
    }
}

/// A row of the table `page`.
struct CapturedRow {
    let image: ImageHash
    let media: String
    let thumbnail: ImageHash?
    let width: Int
    let height: Int
    let resolution: Double
    let provenance: Provenance
    let problems: [String]
    /// The page with the captured picture that this one is a part of, and how that must be turned
    /// to match.
    let uncut: (page: PageID, turn: PageTurn)?
    /// The page with the same content in another look.
    let plain: PageID?
    /// Its look; nil for the original.
    let look: PageLook?
}

/// The look of a page's picture, if it differs from the captured one.
public enum PageLook: String, CaseIterable, Sendable {
    /// The page on white paper, with letters that stand out.
    case clean
    /// The page in black and white.
    case bilevel
}
