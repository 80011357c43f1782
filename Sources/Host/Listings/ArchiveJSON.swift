public import Archive
package import Documents
import ExpectedFailures
import FileNames
import FoundationEssentials

/// A document, for `list --json`, `show --json`, the commands that change documents and the HTTP
/// API.
public struct DocumentJSON: Codable, Sendable {
    package var id: DocumentID
    package var title: String
    package var type: DocumentType
    package var created: String
    package var added: String
    package var changed: String
    package var trashed: String?
    package var reviewed: Bool
    package var pages: Int
    package var language: String?
    package var tags: [String]
    /// The name of its owner; nil for a document of everyone.
    package var owner: String?

    /// The document's JSON.
    public init(_ summary: DocumentSummary) {
        id = summary.id
        title = summary.title
        type = summary.type
        created = moment(summary.created)
        added = moment(summary.added)
        changed = moment(summary.changed)
        trashed = summary.trashed.map(moment)
        reviewed = summary.isSaved
        pages = summary.pages
        language = summary.language
        tags = summary.tags
        owner = summary.owner
    }
}

/// A document with all its data, for `show --json` and the HTTP API.
public struct WholeDocumentJSON: Codable, Sendable {
    package var document: DocumentJSON
    /// A text that differs after each change; nil from a host without versions.
    package var version: String?
    /// True if a person gave the title; nil from a host that does not report it.
    package var isTitleGiven: Bool?
    package var note: String
    package var fields: [Field]
    package var entries: [Entry]
    package var pages: [PageJSON]
    package var undoable: Int
    package var redoable: Int
    package var receipts: [ReceiptJSON]
    /// The imported files that the archive keeps unchanged; nil from a host that keeps none.
    package var originals: [OriginalJSON]?
    package var selectedPages: [Int]
    package var selectedEntries: [Int]

    /// The document's JSON, with or without the text of its pages.
    public init(_ document: ArchivedDocument, withText: Bool) {
        self.document = DocumentJSON(document.summary)
        version = document.version.rawValue
        isTitleGiven = document.isTitleGiven
        note = document.review.note
        fields = document.review.fields
        entries = document.review.entries
        pages = document.pages.map { PageJSON($0, withText: withText) }
        undoable = document.undoable
        redoable = document.redoable
        receipts = document.receipts.map(ReceiptJSON.init)
        originals = document.originals.map(OriginalJSON.init)
        let review = document.review
        selectedPages = review.selectedPages.compactMap { review.number(of: $0) }.sorted()
        selectedEntries = review.selectedEntries.sorted()
    }

    /// The document for users of other machines.
    ///
    /// - Parameters:
    ///   - showsPlaces: whether receipts keep places on the host, for administrators.
    ///   - clean: changes every text that may name a path on the host.
    package func cleaned(showsPlaces: Bool, _ clean: (String) -> String) -> WholeDocumentJSON {
        var result = self
        result.pages = pages.map { $0.cleaned(clean) }
        result.receipts = receipts.map { $0.cleaned(showsPlaces: showsPlaces, clean) }
        return result
    }
}

/// An imported file that the archive keeps unchanged, for `show --json`.
package struct OriginalJSON: Codable, Sendable {
    package var name: String
    package var type: String
    package var bytes: Int
    /// The file's SHA-256, in hexadecimal digits.
    package var hash: String

    init(_ original: KeptOriginal) {
        name = original.name
        type = original.media
        bytes = original.bytes
        hash = original.file.hexadecimal
    }
}

/// A delivery of a document, for `show --json`.
package struct ReceiptJSON: Codable, Sendable {
    package var sink: String
    package var place: String
    package var made: String
    package var hash: String?
    package var remoteID: String?

    init(_ receipt: KeptReceipt) {
        sink = receipt.sink
        place = receipt.place
        made = moment(receipt.made)
        hash = receipt.hash
        remoteID = receipt.remoteID
    }

    /// The receipt with names instead of paths, except perhaps of its sink and place.
    fileprivate func cleaned(
        showsPlaces: Bool, _ clean: (String) -> String
    ) -> ReceiptJSON {
        var result = self
        // A program may answer with the path that it got.
        result.remoteID = remoteID.map { clean(PlaceNames.name(of: $0)) }
        if showsPlaces { return result }
        result.sink = clean(PlaceNames.name(of: sink))
        result.place = clean(PlaceNames.name(of: place))
        return result
    }
}

/// A page, for `pages --json`, `show --json` and the HTTP API.
public struct PageJSON: Codable, Sendable {
    package var number: Int
    package var id: PageID
    package var width: Int
    package var height: Int
    package var resolution: Double
    package var turn: PageTurn
    package var crop: Box?
    /// True when the page was cut out of a captured picture that can be shown instead.
    package var isCut: Bool?
    /// The look of the page; nil for the captured one.
    package var look: String?
    package var words: Int
    /// True when the page was read, even without finding words.
    package var isRead: Bool
    package var corrected: Bool
    package var device: String
    package var label: String?
    package var problems: [String]
    package var image: String
    package var thumbnail: String?
    package var captured: PictureSize
    package var text: String?

    /// The size of a captured picture in pixels.
    package struct PictureSize: Codable, Sendable {
        package var width: Int
        package var height: Int
    }

    /// The page's JSON, with or without its text.
    public init(_ page: ArchivedPage, withText: Bool) {
        number = page.page.number
        id = page.id
        width = page.page.width
        height = page.page.height
        resolution = page.page.resolution
        turn = page.frame.turn
        crop = page.frame.crop
        isCut = page.isCut ? true : nil
        look = page.look?.rawValue
        words = page.page.text?.words.count ?? 0
        isRead = page.page.text != nil
        corrected = page.isTextCorrected
        device = page.page.provenance.device
        label = page.page.provenance.label
        problems = page.page.problems
        image = page.image.hexadecimal
        thumbnail = page.thumbnail?.hexadecimal
        captured = PictureSize(width: page.frame.width, height: page.frame.height)
        text = withText ? page.page.text?.plainText : nil
    }

    /// The page after `clean` has changed every text that may name a path on the host.
    fileprivate func cleaned(_ clean: (String) -> String) -> PageJSON {
        var result = self
        result.problems = problems.map(clean)
        return result
    }
}

/// A page with every word and its place, for the HTTP API.
public struct ReadPageJSON: Codable, Sendable {
    package var page: PageJSON
    /// The paragraphs with their lines, in reading order, in pixels of the page as shown.
    package var paragraphs: [[[Word]]]

    /// The page's JSON.
    public init(_ page: ArchivedPage) {
        self.page = PageJSON(page, withText: true)
        paragraphs = (page.page.text?.blocks ?? []).flatMap { block in
            block.paragraphs.map { $0.lines.map(\.words) }
        }
    }

    /// The page for users of other machines: see ``WholeDocumentJSON/cleaned(showsPlaces:_:)``.
    package func cleaned(_ clean: (String) -> String) -> ReadPageJSON {
        var result = self
        result.page = page.cleaned(clean)
        return result
    }
}

/// A search result, for `search --json` and the HTTP API.
public struct SearchJSON: Codable, Sendable {
    package struct Hit: Codable, Sendable {
        package var document: DocumentID
        package var title: String
        package var type: DocumentType
        package var created: String
        package var page: Int
        package var width: Int
        package var height: Int
        package var words: [Word]
        package var snippet: [SnippetPart]
    }

    package var order: String
    package var total: Int
    package var totalIsOpen: Bool
    package var hits: [Hit]

    /// The result's JSON.
    public init(_ result: SearchResult) {
        order = result.order.rawValue
        total = result.total
        totalIsOpen = result.isTotalOpen
        hits = result.hits.map {
            Hit(
                document: $0.document, title: $0.title, type: $0.type, created: moment($0.created),
                page: $0.page, width: $0.width, height: $0.height, words: $0.words,
                snippet: $0.snippet)
        }
    }
}

/// The time, in seconds since 1970, for a text from ``moment(_:)``; 0 for an invalid text, or one
/// outside the years 1…9999.
package func seconds(ofMoment text: String) -> Double {
    // A longer text is not a time, and might name a year that calendars can't handle.
    guard text.utf8.count <= 32, text.utf8.prefix(4).allSatisfy({ (48...57).contains($0) }),
        let date = ofKnownForm({ try Date(text, strategy: .iso8601) })
    else { return 0 }
    let seconds = date.timeIntervalSince1970
    return (-62_135_596_800...253_402_300_799).contains(seconds) ? seconds : 0
}

/// A time as ISO 8601 in UTC.
public func moment(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds).writable.formatted(.iso8601)
}
