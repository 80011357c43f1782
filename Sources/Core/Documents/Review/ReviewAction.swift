/// A change to a document under review.
///
/// Actions name pages by ``PageID``, so that each means the same whatever happened before it. They
/// are stored; a case once stored is never renamed.
public enum ReviewAction: Codable, Hashable, Sendable {
    /// Adds pages to the selection.
    case select(pages: [PageID])
    /// Takes pages out of the selection.
    case deselect(pages: [PageID])
    /// Adds entries to the selection.
    case selectEntries([Int])
    /// Takes entries out of the selection.
    case deselectEntries([Int])
    /// Selects no page and no entry.
    case deselectAll
    /// Deletes the selected pages and entries.
    case deleteSelected
    /// Counts the pages from this number on.
    case renumber(first: Int)
    /// Puts a page at a place, from 0; the others keep their order.
    case move(page: PageID, to: Int)
    /// Turns pages clockwise, on top of the turn they have.
    case rotate(pages: [PageID], by: PageTurn)
    /// Keeps a part of a page, in pixels of the page as it is shown now; nil shows all of it again.
    case crop(page: PageID, to: Box?)
    /// Puts another page in a page's place, such as the captured picture that it was cut from;
    /// entries go with the place.
    case replace(page: PageID, by: ReviewedPage)
    /// Replaces a page's text, in pixels of the captured picture; nil for what was read.
    case editText(page: PageID, text: PageText?)
    /// Sets the title.
    case setTitle(String)
    /// Sets the type.
    case setType(DocumentType)
    /// Sets the note.
    case setNote(String)
    /// Adds a tag.
    case addTag(String)
    /// Takes a tag away.
    case removeTag(String)
    /// Sets one of the document's fields, or removes it if the value is nil.
    case setField(name: String, value: String?, source: String?)
    /// Adds an entry at the end; its number is one more than the highest there is.
    case addEntry(page: PageID?, fields: [Field])
    /// Sets a field of an entry, or removes it if the value is nil.
    case setEntryField(entry: Int, name: String, value: String?)
    /// Moves the pages after this one, and the entries on them, to a new document.
    case split(after: PageID, into: Int64)
    /// Appends another document: its pages and its metadata.
    case merge(Review, from: Int64)
    /// Marks the document as reviewed.
    case save
}

/// Why an action can't be applied.
public struct ReviewError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// The page or entry is not in the document.
        case notThere
        /// No page would be left.
        case noPageLeft
        /// A value is out of range.
        case invalidValue
        /// There is nothing to undo or to redo.
        case nothingToUndo
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed, and what to do next.
    public let message: String

    /// An error for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
