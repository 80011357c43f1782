import JobOptions
import Recognition

/// Decides where each page of a stack belongs, one after the other: a pure reducer over the kinds
/// of pages.
///
/// No page is in two documents, the order stays, and no document is empty: a document begins with
/// the first page after a sheet, so consecutive sheets, or sheets at either end, create none. A
/// page on which nothing is written and that comes right after a sheet is the sheet's back.
struct BatchSplitter: Hashable, Sendable {
    /// The place of a page in the documents.
    enum Place: Hashable, Sendable {
        /// The page begins a document.
        case beginning(number: Int, name: String?)
        /// The page belongs to the document that has begun.
        case continuing(number: Int)
        /// The page belongs to no document: it is a separator sheet, or the back of one.
        case aside
    }

    /// The treatment of the pages at which the stack is split.
    let pages: SplitPages
    /// The number of documents so far.
    private(set) var count = 0
    private var isBetween = true
    private var name: String?
    private var isBackNext = false

    init(_ pages: SplitPages) { self.pages = pages }

    /// Decides about the next page.
    mutating func place(_ mark: SplitMark, isBlank: Bool) -> Place {
        let mark = pages.applied(to: mark)
        let mayBeBack = isBackNext
        isBackNext = mark.kind == .sheet
        switch mark.kind {
        case .sheet:
            isBetween = true
            name = mark.name ?? name
            return .aside
        case .first: return begin(mark.name)
        case .page where mayBeBack && isBlank: return .aside
        case .page: return isBetween ? begin(nil) : .continuing(number: count)
        }
    }

    private mutating func begin(_ own: String?) -> Place {
        defer { (isBetween, name) = (false, nil) }
        count += 1
        return .beginning(number: count, name: own ?? name)
    }
}

extension SplitPages {
    /// The role of a page, given how pages at a split are treated.
    func applied(to mark: SplitMark) -> SplitMark {
        switch (self, mark.kind) {
        case (.keep, .sheet): SplitMark(.first, name: mark.name)
        case (.drop, .first): SplitMark(.sheet, name: mark.name)
        default: mark
        }
    }
}
