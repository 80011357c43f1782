/// A table on a page: cells in rows and columns.
public struct TextTable: Codable, Hashable, Sendable {
    /// The rows from top to bottom, each with as many cells as the table has columns; a cell that
    /// is empty is an empty text.
    public var rows: [[String]]
    /// Where the table is on the page.
    public var box: Box

    /// A table of rows that are equally long.
    public init(rows: [[String]], box: Box) {
        self.rows = rows
        self.box = box
    }
}
