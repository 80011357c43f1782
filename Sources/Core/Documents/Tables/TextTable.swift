/// A table on a page: cells in rows and columns.
public struct TextTable: Codable, Hashable, Sendable {
    /// The rows from top to bottom, each with as many cells as the table has columns; an empty cell
    /// is an empty text.
    public var rows: [[String]]
    /// The table's rectangle on the page.
    public var box: Box
}
