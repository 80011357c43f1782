import Documents

/// A page of filled rectangles and lines of print, as a PDF without pictures.
///
/// Places are in points, 72 to the inch, from the page's top left corner. Print is in Helvetica and
/// Courier, two of the fonts that every reader of PDF has (ISO 32000-1, 9.6.2.2), and in ASCII.
///
///     var page = VectorPage(width: 595, height: 842)
///     page.write("Separator", size: 24, x: 64, y: 100)
///     let bytes = page.pdf(title: "Separator")
public struct VectorPage: Sendable {
    /// The fonts of print.
    public enum Font: String, Sendable, CaseIterable {
        /// For words.
        case plain = "Helvetica"
        /// For headings.
        case bold = "Helvetica-Bold"
        /// For text that people type, such as commands.
        case typewriter = "Courier"
    }

    private let width: Double
    private let height: Double
    private var content = ""

    /// An empty page of a size in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Fills a rectangle with black.
    public mutating func fill(x: Double, y: Double, width: Double, height: Double) {
        content += numbers([x, self.height - y - height, width, height]) + " re f\n"
    }

    /// Writes a line; `y` is its base.
    public mutating func write(
        _ text: String, _ font: Font = .plain, size: Double, x: Double, y: Double
    ) {
        let letters = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "(", ")", "\\": "\\" + String(scalar)
            case " "..."~": String(scalar)
            default: "?"
            }
        }
        content +=
            "BT /\(font.rawValue) \(numbers([size])) Tf \(numbers([x, height - y])) Td (\(letters.joined())) Tj ET\n"
    }

    /// The page as a PDF.
    public func pdf(title: String) -> [UInt8] {
        let fonts = Font.allCases.enumerated().map { "/\($1.rawValue) \($0 + 6) 0 R" }
        let objects =
            [
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(numbers([width, height]))] /Contents 4 0 R "
                    + "/Resources << /Font << \(fonts.joined(separator: " ")) >> >> >>",
                "<< /Length \(content.utf8.count) >>\nstream\n\(content)endstream",
                "<< /Title (\(title)) /Producer (Copystand) >>",
            ]
            + Font.allCases.map {
                "<< /Type /Font /Subtype /Type1 /BaseFont /\($0.rawValue) /Encoding /WinAnsiEncoding >>"
            }
        var file = "%PDF-1.4\n"
        var places: [String] = []
        for (index, object) in objects.enumerated() {
            let place = String(file.utf8.count)
            places.append(String(repeating: "0", count: 10 - place.utf8.count) + place)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places { file += "\(place) 00000 n \n" }
        file +=
            "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 5 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Array(file.utf8)
    }

    private func numbers(_ values: [Double]) -> String {
        values.map { decimal($0, digits: 3) }.joined(separator: " ")
    }
}
