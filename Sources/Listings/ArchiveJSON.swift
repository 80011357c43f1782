public import Archive
import Documents
import FoundationEssentials

/// A document as `list --json`, `show --json`, the commands that change documents and the HTTP API tell it.
public struct DocumentJSON: Encodable, Sendable {
    var id: DocumentID
    var title: String
    var type: DocumentType
    var created: String
    var added: String
    var changed: String
    var trashed: String?
    var reviewed: Bool
    var pages: Int
    var language: String?
    var tags: [String]

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
    }
}

/// A document with all that is known of it, as `show --json` and the HTTP API tell it.
public struct WholeDocumentJSON: Encodable, Sendable {
    var document: DocumentJSON
    var note: String
    var fields: [Field]
    var entries: [Entry]
    var pages: [PageJSON]
    var undoable: Int
    var redoable: Int
    var receipts: [ReceiptJSON]
    var selectedPages: [Int]
    var selectedEntries: [Int]

    /// The document's JSON, with the text of its pages or without.
    public init(_ document: ArchivedDocument, withText: Bool) {
        self.document = DocumentJSON(document.summary)
        note = document.review.note
        fields = document.review.fields
        entries = document.review.entries
        pages = document.pages.map { PageJSON($0, withText: withText) }
        undoable = document.undoable
        redoable = document.redoable
        receipts = document.receipts.map(ReceiptJSON.init)
        let review = document.review
        selectedPages = review.selectedPages.compactMap { review.number(of: $0) }.sorted()
        selectedEntries = review.selectedEntries.sorted()
    }
}

/// Where a document was delivered to, as `show --json` prints it.
struct ReceiptJSON: Encodable, Sendable {
    var sink: String
    var place: String
    var made: String
    var hash: String?
    var remoteID: String?

    init(_ receipt: KeptReceipt) {
        sink = receipt.sink
        place = receipt.place
        made = moment(receipt.made)
        hash = receipt.hash
        remoteID = receipt.remoteID
    }
}

/// A page as `pages --json`, `show --json` and the HTTP API tell it.
public struct PageJSON: Encodable, Sendable {
    var number: Int
    var id: PageID
    var width: Int
    var height: Int
    var resolution: Double
    var turn: PageTurn
    var crop: Box?
    var words: Int
    var corrected: Bool
    var device: String
    var label: String?
    var problems: [String]
    var image: String
    var thumbnail: String?
    var captured: PictureSize
    var text: String?

    /// Pixels of a captured picture.
    struct PictureSize: Encodable, Sendable {
        var width: Int
        var height: Int
    }

    /// The page's JSON, with its text or without.
    public init(_ page: ArchivedPage, withText: Bool) {
        number = page.page.number
        id = page.id
        width = page.page.width
        height = page.page.height
        resolution = page.page.resolution
        turn = page.frame.turn
        crop = page.frame.crop
        words = page.page.text?.words.count ?? 0
        corrected = page.isTextCorrected
        device = page.page.provenance.device
        label = page.page.provenance.label
        problems = page.page.problems
        image = page.image.hexadecimal
        thumbnail = page.thumbnail?.hexadecimal
        captured = PictureSize(width: page.frame.width, height: page.frame.height)
        text = withText ? page.page.text?.plainText : nil
    }
}

/// A page with every word and its place, as the HTTP API tells it.
public struct ReadPageJSON: Encodable, Sendable {
    var page: PageJSON
    /// The lines of its paragraphs, in reading order, in pixels of the page as it is shown.
    var paragraphs: [[[Word]]]

    /// The page's JSON.
    public init(_ page: ArchivedPage) {
        self.page = PageJSON(page, withText: true)
        paragraphs = (page.page.text?.blocks ?? []).flatMap { block in
            block.paragraphs.map { $0.lines.map(\.words) }
        }
    }
}

/// The result of a search as `search --json` and the HTTP API tell it.
public struct SearchJSON: Encodable, Sendable {
    struct Hit: Encodable, Sendable {
        var document: DocumentID
        var title: String
        var type: DocumentType
        var created: String
        var page: Int
        var width: Int
        var height: Int
        var words: [Word]
        var snippet: [SnippetPart]
    }

    var order: String
    var total: Int
    var totalIsOpen: Bool
    var hits: [Hit]

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

/// A moment as ISO 8601 in universal time.
public func moment(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds).formatted(.iso8601)
}
