import Documents

extension FileFormat {
    /// The tables, as comma-separated values.
    public static let csv = Self(
        ".csv", mediaType: "text/csv; charset=utf-8", remark: "the tables"
    ) { try CSVFormat($0) }
}

/// The tables of the pages as comma-separated values (RFC 4180), UTF-8: an empty line separates two
/// tables.
///
/// If no page has a table, each line of text becomes a row, so that no text is lost.
final class CSVFormat: FormatWriter {
    private let file: PartialFile
    private var isFirst = true
    /// The lines of the pages, as long as no table was found.
    private var lines: [String]? = []

    init(_ context: FormatContext) throws {
        file = try PartialFile(context.name, in: context.folder)
    }

    func add(_ page: DeliveredPage) throws {
        guard let text = page.page.text else { return }
        let tables = text.tables
        if tables.isEmpty {
            lines?.append(
                contentsOf: text.lines.map { $0.words.map(\.text).joinedAsLine() })
        } else {
            lines = nil
        }
        for table in tables {
            if !isFirst { try file.append("\r\n") }
            isFirst = false
            for row in table.rows { try file.append(Self.row(row)) }
        }
    }

    func finish() throws -> [PartialFile] {
        for line in lines ?? [] { try file.append(Self.row([line])) }
        return [file]
    }

    var notes: [String] {
        lines == nil ? [] : ["No table was found, so the file has each line of text as a row."]
    }

    private static func row(_ cells: [String]) -> String {
        cells.map(field).joined(separator: ",") + "\r\n"
    }

    /// The field for a cell.
    ///
    /// A cell that a spreadsheet would treat as a formula gets an apostrophe first: text from paper
    /// must not be executed.
    static func field(_ cell: String) -> String {
        var text = cleaned(cell)
        let isNumber = text.dropFirst().allSatisfy { $0.isNumber || ".,%  ".contains($0) }
        if let first = text.first, "=@".contains(first) || ("+-".contains(first) && !isNumber) {
            text = "'" + text
        }
        guard text.contains(where: { "\",\r\n".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
