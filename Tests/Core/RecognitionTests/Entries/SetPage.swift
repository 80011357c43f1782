import Documents

/// A page of lines in letters of one width, as a reader would return it.
struct SetPage {
    static let em = 40
    private static let width = 22
    private var lines: [TextLine] = []
    private let number: Int

    init(_ number: Int = 1) { self.number = number }

    /// Adds `text` at `x`, with its baseline at `y`; letters are `scale` times as large as usual.
    mutating func line(_ text: String, x: Int = 200, y: Int, scale: Double = 1) {
        var left = x
        var words: [Word] = []
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            let width = Int(Double(part.count * Self.width) * scale)
            if !part.isEmpty {
                let descends = part.contains { "gjpqy,;()§".contains($0) }
                let tall = part.contains { !"acemnorsuvwxzgpqy.,-".contains($0) }
                let up = Int((tall ? 0.73 : 0.52) * Double(Self.em) * scale)
                let down = descends ? Int(0.21 * Double(Self.em) * scale) : 0
                words.append(
                    Word(
                        text: String(part),
                        box: Box(x: left, y: y - up, width: width, height: up + down),
                        confidence: 0.95))
            }
            left += width + Int(Double(Self.width) * scale)
        }
        let top = words.map(\.box.y).min() ?? y
        let bottom = words.map { $0.box.y + $0.box.height }.max() ?? y
        lines.append(
            TextLine(words: words, box: Box(x: x, y: top, width: left - x, height: bottom - top)))
    }

    /// Adds lines one below the other, 54 pixels apart, from `y` on.
    ///
    /// An empty line leaves a gap.
    ///
    /// - Returns: the y of the next line.
    @discardableResult
    mutating func lines(_ texts: [String], x: Int = 200, from y: Int) -> Int {
        var y = y
        for text in texts {
            if !text.isEmpty { line(text, x: x, y: y) }
            y += 54
        }
        return y
    }

    var page: Page {
        let box = Box(x: 0, y: 0, width: 1600, height: 2200)
        let block = TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)
        return Page(
            number: number, width: 1600, height: 2200, resolution: 200,
            text: PageText(blocks: lines.isEmpty ? [] : [block], languages: ["eng"]),
            provenance: Provenance(device: "test"))
    }
}
