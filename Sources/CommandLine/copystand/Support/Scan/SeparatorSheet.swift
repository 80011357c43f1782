import CaptureKit
import Delivery
import Recognition

/// The sheet that separates two documents, as a page to print: it has a Code 128 and a QR code that
/// mark it, and a few words for people.
enum SeparatorSheet {
    /// The papers of printers, for which a sheet can be made.
    static let papers = Paper.all.filter { ["a4", "letter"].contains($0.name) }

    static let title = "Copystand separator sheet"
    /// The size of a field of either code in points: 0.53 and 2.8 mm, so that every bar is visible
    /// at 100 dpi.
    private static let bar = 1.5
    private static let square = 8.0
    private static let barHeight = 80.0
    /// The distance from the paper's left edge: more than the ten light bars that a Code 128 needs.
    private static let margin = 64.0

    /// The sheet as a PDF.
    ///
    /// - Throws: `BarcodeError`, never for the text used here.
    static func pdf(_ paper: Paper) throws(BarcodeError) -> [UInt8] {
        let points = 72 / 25.4
        var page = VectorPage(width: paper.width * points, height: paper.height * points)
        page.write("Separator sheet", .bold, size: 28, x: margin, y: 96)
        page.write("A new document begins after this sheet.", size: 15, x: margin, y: 124)
        let bars = try DrawnBarcode(.code128, SplitRule.separatorText)
        draw(bars, on: &page, y: 168, width: bar, height: barHeight)
        let squares = try DrawnBarcode(.qrCode, SplitRule.separatorText)
        draw(squares, on: &page, y: 296, width: square, height: square)
        let lines: [(String, VectorPage.Font)] = [
            (
                "Print as many as you need, put one between documents, and scan the stack:",
                .plain
            ),
            ("copystand scan --split-at separator -o letter.pdf", .typewriter),
            (
                "The sheets themselves, and their empty backs, are left out of the documents.",
                .plain
            ),
            ("Either end of a sheet may go in first. The sheets can be reused.", .plain),
        ]
        for (index, line) in lines.enumerated() {
            page.write(line.0, line.1, size: 11, x: margin, y: 560 + 20 * Double(index))
        }
        page.write(SplitRule.separatorText, .typewriter, size: 11, x: margin, y: 268)
        return page.pdf(title: title)
    }

    private static func draw(
        _ code: DrawnBarcode, on page: inout VectorPage, y: Double, width: Double, height: Double
    ) {
        for row in 0..<code.height {
            var column = 0
            while column < code.width {
                let isDark = code.fields[row * code.width + column]
                let end =
                    (column..<code.width).first { code.fields[row * code.width + $0] != isDark }
                    ?? code.width
                if isDark {
                    page.fill(
                        x: margin + Double(column) * width, y: y + Double(row) * height,
                        width: Double(end - column) * width, height: height)
                }
                column = end
            }
        }
    }
}
