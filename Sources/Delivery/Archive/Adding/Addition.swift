public import Documents
import FoundationEssentials
import Synchronization

/// A document that is being added to the archive: its images are stored page by page, and the
/// document appears whole, or not at all.
public final class Addition: Sendable {
    private struct StoredPage {
        var page: Page
        var image: (hash: ImageHash, bytes: Int, media: String)
        var thumbnail: (hash: ImageHash, bytes: Int)?
        var text: [UInt8]?
        var original: (file: KeptFile, page: FilePage)?

        init(_ page: Page, _ picture: PagePicture, in images: ImageStore) throws(ArchiveError) {
            self.page = page
            self.page.text = nil
            text = page.text.map(PageTextCoding.encode)
            image = (try images.add(picture.image), picture.image.count, picture.media)
            if let bytes = picture.thumbnail { thumbnail = (try images.add(bytes), bytes.count) }
        }
    }

    /// A page, and the picture that it was cut from.
    private struct StoredCut {
        var page: StoredPage
        var uncut: (page: StoredPage, turn: PageTurn)?
    }

    /// An imported file as it is stored among the images.
    private typealias KeptFile = (hash: ImageHash, bytes: Int)

    private struct State {
        var pages: [StoredCut] = []
        /// The imported files that are stored already, by their paths.
        var files: [String: KeptFile] = [:]
        var found = DocumentFindings()
        /// Held until the transaction is committed; nil once the addition is finished or abandoned.
        var lock: ImageLock?
    }

    private let archive: Archive
    private let info: DocumentInfo
    private let state: Mutex<State>

    init(archive: Archive, info: DocumentInfo) throws(ArchiveError) {
        self.archive = archive
        self.info = info
        state = Mutex(State(lock: try ImageLock.shared(archive.lockPath)))
    }

    /// Stores a page's image; the page itself becomes visible with the document.
    ///
    /// - Throws: ``ArchiveError``, such as `noSpace`; the addition can then only be given up.
    public func add(_ page: NewPage) throws(ArchiveError) {
        var stored = StoredCut(
            page: try StoredPage(page.page, page.picture, in: archive.images))
        if let uncut = page.uncut {
            var whole = page.page
            (whole.width, whole.height) = (uncut.width, uncut.height)
            (whole.resolution, whole.text) = (uncut.resolution, uncut.text)
            stored.uncut = (
                try StoredPage(whole, uncut.picture, in: archive.images), uncut.turn
            )
        }
        if let (path, original) = page.original {
            let file = try kept(path)
            stored.page.original = (file, original)
            var whole = original
            if let uncut = page.uncut, uncut.showsFilePage, original.likeness != .part {
                (whole.likeness, whole.addedText) = (.same, uncut.addedText)
            } else if original.likeness.degrees != nil {
                whole.likeness = .redrawn
            }
            stored.uncut?.page.original = (file, whole)
        }
        let isOpen = state.withLock { state in
            if state.lock != nil { state.pages.append(stored) }
            return state.lock != nil
        }
        guard isOpen else { throw Self.closed }
    }

    /// Stores an imported file, once for all of its pages.
    private func kept(_ path: String) throws(ArchiveError) -> KeptFile {
        if let known = state.withLock({ $0.files[path] }) { return known }
        let file = try archive.images.add(fileAt: path)
        state.withLock { $0.files[path] = file }
        return file
    }

    /// Adds what was found in the document as a whole: its entries, and its fields.
    public func note(_ found: DocumentFindings) { state.withLock { $0.found = found } }

    /// Makes the document durable and visible, in one transaction.
    ///
    /// When a delivery is repeated after a crash, a document of the same job with the same number
    /// of pages already exists: then that one stays as it is, and nothing is added. One of the same
    /// job with fewer pages goes into the trash.
    ///
    /// - Returns: The document's id.
    /// - Throws: ``ArchiveError``, and nothing was added.
    public func finish() throws(ArchiveError) -> DocumentID {
        do {
            return try state.withLock { state in
                guard state.lock != nil else { throw Self.closed }
                guard !state.pages.isEmpty else {
                    throw ArchiveError(
                        .refused, "A document without pages can't be archived.")
                }
                let (pages, found) = (state.pages, state.found)
                let id = try archive.access { database in
                    try database.write {
                        try Self.insert(info, pages, found: found, database: database)
                    }
                }
                state = State()
                return id
            }
        } catch { throw .wrapping(error, path: archive.folder) }
    }

    /// Abandons the document; its images are removed by the next ``Archive/compact()``.
    public func cancel() { state.withLock { $0 = State() } }

    private static var closed: ArchiveError {
        ArchiveError(.refused, "The document is finished and accepts no more pages.")
    }

    private static func insert(
        _ info: DocumentInfo, _ pages: [StoredCut], found: DocumentFindings,
        database: Connection
    ) throws -> DocumentID {
        let jobs = JobTable(database)
        if let job = info.job, let known = try jobs.document(of: job, pages: pages.count),
            try Archive.isComplete(
                known, pages.map { ($0.uncut?.page ?? $0.page).image.hash }, database)
        {
            return DocumentID(rawValue: known)
        }
        let now = secondsNow()
        let document = try database.insert(
            """
            INSERT INTO document (title, type, note, language, created, added, changed, pages, \
            title_given)
            VALUES (?, ?, '', ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(info.title), .text(DocumentType.other.rawValue), .text(info.language),
                .real(info.created), .real(now), .real(now), .integer(pages.count),
                .integer(info.isTitleGiven == true ? 1 : 0),
            ])
        var reviewed: [ReviewedPage] = []
        var cuts: [PageCut] = []
        var texts: [PageID: [UInt8]] = [:]
        for stored in pages {
            var whole: ReviewedPage?
            if let (page, turn) = stored.uncut {
                whole = try insert(page, uncut: nil, database)
                whole?.frame.turn = turn
            }
            let page = try insert(stored.page, uncut: whole, database)
            texts[page.id] = stored.page.text
            reviewed.append(page)
            if let whole { cuts.append(PageCut(whole: whole, page: page)) }
        }
        var review = Review(title: info.title, pages: reviewed)
        let ids = reviewed.map(\.id)
        let known = pages.map(\.page.page)
        review.fields = FoundFields.fields(known, ids) + found.fields
        review.entries = FoundFields.entries(found.entries, known, ids)
        try HistoryTable(database).begin(document, review, cuts)
        try LeafWriter(database, document: document, isIndexed: true, texts: texts)
            .update(from: nil, to: review)
        if let job = info.job { try jobs.note(document, of: job, pages: pages.count) }
        return DocumentID(rawValue: document)
    }

    /// Stores a page.
    ///
    /// - Parameter uncut: The captured picture that it is a part of.
    private static func insert(
        _ stored: StoredPage, uncut: ReviewedPage?, _ database: Connection
    ) throws -> ReviewedPage {
        try insert(
            stored.image.hash, stored.image.bytes, media: stored.image.media, database: database)
        if let small = stored.thumbnail {
            try insert(small.hash, small.bytes, media: "image/jpeg", database: database)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let page = stored.page
        let id = try database.insert(
            """
            INSERT INTO page (
                image, thumbnail, width, height, resolution, text, provenance, problems, uncut, \
                uncut_turn)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .blob(stored.image.hash.bytes), .blob(stored.thumbnail?.hash.bytes),
                .integer(page.width), .integer(page.height), .real(page.resolution),
                .blob(stored.text),
                .text(
                    String(decoding: try encoder.encode(finite(page.provenance)), as: UTF8.self)),
                .text(String(decoding: try encoder.encode(page.problems), as: UTF8.self)),
                uncut.map { .integer($0.id.rawValue) } ?? .null,
                .integer(uncut?.frame.turn.rawValue ?? 0),
            ])
        if let (file, original) = stored.original {
            try insert(file.hash, file.bytes, media: original.media, database: database)
            try OriginTable(database).insert(
                original, in: file.hash, of: PageID(rawValue: id))
        }
        return ReviewedPage(id: PageID(rawValue: id), width: page.width, height: page.height)
    }

    static func insert(
        _ hash: ImageHash, _ bytes: Int, media: String, database: Connection
    ) throws {
        try database.run(
            "INSERT INTO image (hash, bytes, media) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.blob(hash.bytes), .integer(bytes), .text(media)])
    }

    /// The provenance without numbers that JSON can't express.
    private static func finite(_ provenance: Provenance) -> Provenance {
        var result = provenance
        for index in result.steps.indices {
            let step = result.steps[index]
            result.steps[index].measurements = step.measurements.filter(\.value.isFinite)
            if !step.milliseconds.isFinite { result.steps[index].milliseconds = 0 }
            result.steps[index].found = step.found.filter { finding in
                finding.confidence.isFinite
                    && finding.corners.allSatisfy { $0.x.isFinite && $0.y.isFinite }
            }
        }
        return result
    }
}

extension Archive {
    /// Begins a document.
    ///
    /// - Throws: ``ArchiveError``.
    public func begin(_ info: DocumentInfo) throws(ArchiveError) -> Addition {
        try makeFolder(images.folder)
        return try Addition(archive: self, info: info)
    }
}
