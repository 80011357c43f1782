public import Documents
import FoundationEssentials

/// A document as it is in the archive.
public struct ArchivedDocument: Sendable {
    /// The document as lists show it.
    public let summary: DocumentSummary
    /// The document's state: its metadata, and its pages' frames.
    public let review: Review
    /// The document's pages in order, as they are shown: cropped and turned, with their text in
    /// place.
    public let pages: [ArchivedPage]
    /// The number of changes that the user can undo.
    public let undoable: Int
    /// The number of changes that the user can redo.
    public let redoable: Int
    /// The number of changes in effect.
    let done: Int
    /// The places that the document was delivered to besides the archive, the oldest first.
    public let receipts: [KeptReceipt]
    /// The imported files that its present and removed pages come from, kept as they were; empty
    /// for a scanned document.
    public let originals: [KeptOriginal]
    /// True when a user gave it its title, at its import or later.
    public let isTitleGiven: Bool
}

/// A page as it is in a document.
public struct ArchivedPage: Sendable {
    /// Its permanent id.
    public let id: PageID
    /// The page's data, as it is shown.
    public let page: Page
    /// The page's part of the captured picture, and its turn.
    public let frame: PageFrame
    /// The captured picture.
    public let image: ImageHash
    /// The picture's media type, such as `image/jpeg`.
    public let media: String
    /// A small JPEG of the captured picture; nil for none.
    public let thumbnail: ImageHash?
    /// True when someone corrected its text.
    public let isTextCorrected: Bool
    /// True when the page was cut out of a captured picture, which the archive has as well.
    public let isCut: Bool
    /// Its look; nil for the original.
    public let look: PageLook?
    /// The imported file that the page is from, and the page in that file; nil for none.
    public let original: (file: ImageHash, page: FilePage)?
}

extension Archive {
    /// A document with its pages.
    ///
    /// - Parameter withText: Whether the pages' texts are read as well.
    /// - Throws: ``ArchiveError`` `noSuchDocument`, or `damaged`.
    public func document(
        _ id: DocumentID, withText: Bool = true
    ) throws(ArchiveError) -> ArchivedDocument {
        try access { database in
            try database.read {
                let document = try database.see(id)
                let summary = try Self.summary(document, database)
                let history = try HistoryTable(database).load(document)
                let reach = try HistoryReach(history, database)
                let review = history.current
                let pages = try review.pages.indices.map { index in
                    try Self.archivedPage(index, of: review, withText: withText, database)
                }
                return ArchivedDocument(
                    summary: summary, review: review, pages: pages, undoable: reach.undoable,
                    redoable: reach.redoable, done: history.done,
                    receipts: try Self.receipts(document, database),
                    originals: try OriginTable(database).files(
                        of: document, among: reach.pages),
                    isTitleGiven: try review.title != history.original.title
                        || Self.isTitleGiven(document, database))
            }
        }
    }

    /// True if a person gave the document its title.
    static func isTitleGiven(
        _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> Bool {
        try database.first(
            "SELECT title_given FROM document WHERE id = ?", [document.value]
        ) { try $0.integer(0) } == 1
    }

    /// One page of a document, with its text.
    ///
    /// - Returns: nil when the document has no page of that number.
    /// - Throws: ``ArchiveError`` `noSuchDocument`, or `damaged`.
    public func archivedPage(
        _ number: Int, of id: DocumentID, withText: Bool = true
    ) throws(ArchiveError) -> ArchivedPage? {
        try access { database in
            try database.read {
                let review = try HistoryTable(database).load(database.see(id)).current
                guard let wanted = review.page(number: number),
                    let index = review.pages.firstIndex(where: { $0.id == wanted.id })
                else { return nil }
                return try Self.archivedPage(
                    index, of: review, withText: withText, database)
            }
        }
    }

    private static func archivedPage(
        _ index: Int, of review: Review, withText: Bool, _ database: any ArchiveDatabase
    ) throws -> ArchivedPage {
        let table = PageTable(database)
        let page = review.pages[index]
        let row = try table.load(page.id)
        let size = page.frame.size
        return ArchivedPage(
            id: page.id,
            page: Page(
                number: review.firstNumber + index, width: size.width, height: size.height,
                resolution: row.resolution,
                text: withText ? try table.text(page)?.shown(in: page.frame) : nil,
                provenance: row.provenance, problems: row.problems),
            frame: page.frame, image: row.image, media: row.media, thumbnail: row.thumbnail,
            isTextCorrected: page.text != nil, isCut: row.uncut != nil, look: row.look,
            original: try OriginTable(database).load(page.id, withText: withText))
    }

    /// The media type of an image, such as `image/jpeg`; nil when no page has it, or none of a
    /// document that the user sees.
    ///
    /// - Throws: ``ArchiveError``.
    public func media(of image: ImageHash) throws(ArchiveError) -> String? {
        try access { database in
            let media = try database.first(
                "SELECT media FROM image WHERE hash = ?", [.blob(image.bytes)]
            ) { try $0.text(0) }
            guard media != nil, database.user.sees == .own else { return media }
            return try database.read { try Self.isSeen(image, database) } ? media : nil
        }
    }

    /// True if a document that the user sees has the image, or had it in a state that the user may
    /// go back to.
    private static func isSeen(_ image: ImageHash, _ database: any ArchiveDatabase) throws -> Bool {
        let value = SQLValue.blob(image.bytes)
        let pages = try database.all(
            "SELECT id FROM page WHERE image = ?1 UNION SELECT id FROM page WHERE thumbnail = ?1",
            [value]
        ) { PageID(rawValue: try $0.integer(0)) }
        for page in pages { if case .shown = try database.sight(of: page) { return true } }
        let documents = try database.all(
            """
            SELECT DISTINCT document.id, document.owner FROM holding
            JOIN document ON document.id = holding.document WHERE holding.page IN (
                SELECT id FROM page WHERE image = ?1 UNION SELECT id FROM page WHERE thumbnail = ?1
                UNION SELECT page FROM origin WHERE file = ?1)
            """, [value]
        ) { try database.seen(in: $0, owner: 1) }.compactMap { $0 }
        return try documents.contains { document in
            let reach = try HistoryReach.pages(of: document, database)
            return try reach?.isDisjoint(with: pages) == false
                || OriginTable(database).files(of: document, among: reach)
                    .contains { $0.file == image }
        }
    }

    /// A page's text with other words, as an action on its document.
    ///
    /// - Parameter text: The correct text of the page; see ``PageText/corrected(to:in:)``
    ///   for the places of its words.
    /// - Throws: ``ArchiveError``.
    public func correction(
        of page: ReviewedPage, to text: String
    ) throws(ArchiveError) -> ReviewAction {
        let old = try capturedText(page) ?? PageText(blocks: [], languages: [])
        return .editText(page: page.id, text: old.corrected(to: text, in: page.frame))
    }

    /// The whole captured picture instead of a page that was cut out of it, as actions on its
    /// document; corrected text stays corrected.
    ///
    /// - Throws: ``ArchiveError``: `refused` for a page that was not cut, or is not in `review`.
    public func uncutting(
        _ page: PageID, of review: Review
    ) throws(ArchiveError) -> [ReviewAction] {
        try access { database in
            let table = PageTable(database)
            guard let number = review.number(of: page),
                let page = review.page(number: number)
            else {
                throw ArchiveError(
                    .refused, "The page \(page.rawValue) is not in this document.")
            }
            try database.expectShown(page.id)
            guard let (id, turn) = try table.load(page.id).uncut else {
                throw ArchiveError(
                    .refused,
                    "Page \(number) was not cut when it was captured: it shows the whole picture.")
            }
            try database.expectShown(id)
            let row = try table.load(id)
            var whole = ReviewedPage(id: id, width: row.width, height: row.height)
            whole.frame.turn = turn.followed(by: page.frame.turn)
            var actions: [ReviewAction] = [.replace(page: page.id, by: whole)]
            if let corrected = page.text {
                let read = try table.text(whole) ?? PageText(blocks: [], languages: [])
                actions.append(
                    .editText(
                        page: id, text: read.corrected(to: corrected.plainText, in: whole.frame)))
            }
            return actions
        }
    }

    /// The bytes of the picture that a page was cut from, in its original look; of its own picture
    /// otherwise.
    ///
    /// - Throws: ``ArchiveError`` `damaged`.
    public func capturedImage(of page: PageID) throws(ArchiveError) -> [UInt8] {
        let hash = try access { database in
            try database.expectShown(page)
            let table = PageTable(database)
            var row = try table.load(page)
            if let plain = row.plain { row = try table.load(plain) }
            if let uncut = row.uncut, try !database.isHidden(uncut.page) {
                row = try table.load(uncut.page)
            }
            return row.image
        }
        return try images.read(hash)
    }

    /// The bytes of an image, checked against its hash.
    ///
    /// - Throws: ``ArchiveError`` `damaged`.
    public func image(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] { try images.read(hash) }

    /// An image as an open file, which the caller closes, and its size in bytes.
    ///
    /// The file's hash is checked on first use, and again if the file has changed.
    ///
    /// - Throws: ``ArchiveError`` `damaged`.
    public func openImage(_ hash: ImageHash) throws(ArchiveError) -> (descriptor: Int32, count: Int)
    {
        try images.open(hash)
    }

    /// A page's text as it was read or corrected, in pixels of the captured picture; nil when
    /// nothing was read.
    ///
    /// - Throws: ``ArchiveError``.
    public func capturedText(_ page: ReviewedPage) throws(ArchiveError) -> PageText? {
        try access { database in
            try database.expectShown(page.id)
            return try PageTable(database).text(page)
        }
    }
}
