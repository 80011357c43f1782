/// A change to a document under review.
///
/// Actions name pages by ``PageID``, so that an action has the same meaning after any other. They
/// are stored, so a case is never renamed.
public enum ReviewAction: Codable, Hashable, Sendable {
    /// Adds pages to the selection.
    case select(pages: [PageID])
    /// Removes pages from the selection.
    case deselect(pages: [PageID])
    /// Adds entries to the selection.
    case selectEntries([Int])
    /// Removes entries from the selection.
    case deselectEntries([Int])
    /// Selects no page and no entry.
    case deselectAll
    /// Deletes the selected pages and entries.
    case deleteSelected
    /// Renumbers the pages, beginning with this number.
    case renumber(first: Int)
    /// Moves a page to a place, from 0; the others keep their order.
    case move(page: PageID, to: Int)
    /// Turns pages clockwise, in addition to their present turn.
    case rotate(pages: [PageID], by: PageTurn)
    /// Keeps a part of a page, in pixels of the page as shown now; nil shows the whole page again.
    case crop(page: PageID, to: Box?)
    /// Replaces a page with another one, such as the captured picture that it was cut from; its
    /// entries move to the new page.
    case replace(page: PageID, by: ReviewedPage)
    /// Replaces a page's text, in pixels of the captured picture; nil for the text that was read.
    case editText(page: PageID, text: PageText?)
    /// Sets the title.
    case setTitle(String)
    /// Sets the type.
    case setType(DocumentType)
    /// Sets the note.
    case setNote(String)
    /// Adds a tag.
    case addTag(String)
    /// Removes a tag.
    case removeTag(String)
    /// Sets one of the document's fields, or removes it if the value is nil.
    case setField(name: String, value: String?, source: String?)
    /// Adds an entry at the end; its number is the highest so far plus one.
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

/// The error for an action that can't be applied.
public struct ReviewError: Error, Hashable, Sendable {
    /// The kind of failure.
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

    /// The kind of failure.
    public let code: Code
    /// The failure, and the advice.
    public let message: String

    /// An error with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
