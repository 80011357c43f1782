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

        init(
            _ page: Page, _ picture: PagePicture, in images: any ImageStore, _ hold: any ImageHold
        ) throws(ArchiveError) {
            self.page = page
            self.page.text = nil
            text = page.text.map(PageTextCoding.encode)
            image = (ImageHash(of: picture.image), picture.image.count, picture.media)
            var new = [NewImage(hash: image.hash, bytes: image.bytes, media: image.media)]
            if let bytes = picture.thumbnail {
                let small = ImageHash(of: bytes)
                thumbnail = (small, bytes.count)
                new.append(NewImage(hash: small, bytes: bytes.count, media: "image/jpeg"))
            }
            try hold.note(new)
            try images.add(picture.image, as: image.hash)
            if let bytes = picture.thumbnail, let small = thumbnail?.hash {
                try images.add(bytes, as: small)
            }
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
        var hold: (any ImageHold)?
    }

    private let archive: Archive
    private let info: DocumentInfo
    /// The claim of the left job whose result it is; nil for none.
    private let claim: LeftJobClaim?
    private let state: Mutex<State>

    init(
        archive: Archive, info: DocumentInfo, claim: LeftJobClaim?
    ) throws(ArchiveError) {
        self.archive = archive
        self.info = info
        self.claim = claim
        state = Mutex(State(hold: try archive.holdImages()))
    }

    /// Stores a page's image; the page itself becomes visible with the document.
    ///
    /// - Throws: ``ArchiveError``, such as `noSpace`; the addition can then only be canceled.
    public func add(_ page: NewPage) throws(ArchiveError) {
        guard let hold = state.withLock({ $0.hold }) else { throw Self.closed }
        var stored = StoredCut(
            page: try StoredPage(page.page, page.picture, in: archive.images, hold))
        if let uncut = page.uncut {
            var whole = page.page
            (whole.width, whole.height) = (uncut.width, uncut.height)
            (whole.resolution, whole.text) = (uncut.resolution, uncut.text)
            stored.uncut = (
                try StoredPage(whole, uncut.picture, in: archive.images, hold), uncut.turn
            )
        }
        if let (path, original) = page.original {
            let file = try kept(path, original.media, hold)
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
            if state.hold != nil { state.pages.append(stored) }
            return state.hold != nil
        }
        guard isOpen else { throw Self.closed }
    }

    /// Stores an imported file, once for all of its pages.
    private func kept(
        _ path: String, _ media: String, _ hold: any ImageHold
    ) throws(ArchiveError) -> KeptFile {
        if let known = state.withLock({ $0.files[path] }) { return known }
        let file = try archive.images.add(fileAt: path) { (hash, bytes) throws(ArchiveError) in
            try hold.note([NewImage(hash: hash, bytes: bytes, media: media)])
        }
        state.withLock { $0.files[path] = file }
        return file
    }

    /// Adds the findings of the document as a whole: its entries, and its fields.
    public func note(_ found: DocumentFindings) { state.withLock { $0.found = found } }

    /// Makes the document durable and visible, in one transaction.
    ///
    /// When a delivery is repeated after a crash, a document of the same job with the same number
    /// of pages already exists: then nothing is added. One of the same
    /// job with fewer pages goes into the trash.
    ///
    /// - Returns: The document's id.
    /// - Throws: ``ArchiveError``, and nothing was added.
    public func finish() throws(ArchiveError) -> DocumentID {
        do {
            return try state.withLock { state in
                guard state.hold != nil else { throw Self.closed }
                guard !state.pages.isEmpty else {
                    throw ArchiveError(
                        .refused, "A document without pages can't be archived.")
                }
                let (pages, found) = (state.pages, state.found)
                let id = try archive.access { database in
                    try database.makeRoom(created: info.created)
                    return try database.write {
                        let id = try Self.insert(info, pages, found: found, database: database)
                        if let claim { try Archive.confirm(claim, database) }
                        return id
                    }
                }
                state = State()
                return id
            }
        } catch { throw .wrapping(error, path: archive.place) }
    }

    /// Abandons the document; its images are removed by the next ``Archive/compact()``.
    public func cancel() { state.withLock { $0 = State() } }

    private static var closed: ArchiveError {
        ArchiveError(.refused, "The document is finished and accepts no more pages.")
    }

    private static func insert(
        _ info: DocumentInfo, _ pages: [StoredCut], found: DocumentFindings,
        database: any ArchiveDatabase
    ) throws -> DocumentID {
        let jobs = JobTable(database)
        if let job = info.job { try database.hold(job: job) }
        if let job = info.job, let known = try jobs.document(of: job, pages: pages.count),
            try Archive.isComplete(
                known, pages.map { ($0.uncut?.page ?? $0.page).image.hash }, database)
        {
            return known.id
        }
        let now = secondsNow()
        let document = try database.insertDocument(
            """
            INSERT INTO document (title, type, note, language, created, added, changed, pages, \
            title_given, owner)
            VALUES (?, ?, '', ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(info.title), .text(DocumentType.other.rawValue), .text(info.language),
                .real(info.created), .real(now), .real(now), .integer(pages.count),
                .integer(info.isTitleGiven == true ? 1 : 0), .text(info.user?.name),
            ])
        try AuditTable(database).add(
            info.isImported == true ? .imported : .scanned, to: [document])
        var keys = try database.pageKeys(
            pages.reduce(0) { $0 + ($1.uncut == nil ? 1 : 2) }, created: info.created)[...]
        var reviewed: [ReviewedPage] = []
        var cuts: [PageCut] = []
        var texts: [PageID: [UInt8]] = [:]
        for stored in pages {
            var whole: ReviewedPage?
            if let (page, turn) = stored.uncut {
                whole = try insert(page, keys.removeFirst(), uncut: nil, database)
                whole?.frame.turn = turn
            }
            let page = try insert(stored.page, keys.removeFirst(), uncut: whole, database)
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
        return document.id
    }

    /// Stores a page.
    ///
    /// - Parameters:
    ///   - key: Its id, where the database does not make it.
    ///   - uncut: The captured picture that it is a part of.
    private static func insert(
        _ stored: StoredPage, _ key: SQLValue, uncut: ReviewedPage?, _ database: any ArchiveDatabase
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
                id, image, thumbnail, width, height, resolution, text, provenance, problems, \
                uncut, uncut_turn)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                key, .blob(stored.image.hash.bytes), .blob(stored.thumbnail?.hash.bytes),
                .integer(page.width), .integer(page.height), .real(page.resolution),
                .blob(stored.text),
                .text(
                    String(decoding: try encoder.encode(finite(page.provenance)), as: UTF8.self)),
                .text(String(decoding: try encoder.encode(page.problems), as: UTF8.self)),
                uncut.map { .integer($0.id.rawValue) } ?? .null(.integer),
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
        _ hash: ImageHash, _ bytes: Int, media: String, database: any ArchiveDatabase
    ) throws {
        try database.name(NewImage(hash: hash, bytes: bytes, media: media))
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
    /// - Parameter claim: the claim of the left job whose result it is; the document is not added
    ///   if the claim is lost.
    /// - Throws: ``ArchiveError``.
    public func begin(
        _ info: DocumentInfo, for claim: LeftJobClaim? = nil
    ) throws(ArchiveError) -> Addition {
        return try Addition(archive: self, info: info, claim: claim)
    }
}
