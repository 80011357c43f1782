import Documents
import Testing

/// A page of words with letters of 10 × 20 pixels, from rows of texts; places are in letters.
private func page(_ rows: [[(Int, String)]], pitch: Int = 26, dy: (Int) -> Int = { _ in 0 })
    -> PageText
{
    let lines = rows.enumerated().flatMap { index, cells in
        cells.map { column, text in
            var x = column * 10
            let words = text.split(separator: " ").map { word in
                defer { x += (word.count + 1) * 10 - 3 }
                let box = Box(
                    x: x, y: 100 + index * pitch + dy(x), width: word.count * 10, height: 20)
                return Word(text: String(word), box: box, confidence: 0.9)
            }
            return TextLine(words: words, box: Box(around: words.map(\.box))!)
        }
    }.filter { !$0.words.isEmpty }
    let blocks = lines.map { line in
        TextBlock(paragraphs: [Paragraph(lines: [line], box: line.box)], box: line.box)
    }
    return PageText(blocks: blocks, languages: ["eng"])
}

@Suite struct TableTests {
    @Test("Cells are in rows and columns, including empty ones")
    func plain() {
        let text = page([
            [(0, "Item"), (30, "Number"), (44, "Price")],
            [(0, "Sheets of paper"), (33, "500"), (45, "4.20")],
            [(0, "Ink"), (45, "19.00")],
            [(0, "Staples and clips"), (34, "20"), (46, "1.10")],
        ])
        #expect(
            text.tables.map(\.rows) == [
                [
                    ["Item", "Number", "Price"], ["Sheets of paper", "500", "4.20"],
                    ["Ink", "", "19.00"], ["Staples and clips", "20", "1.10"],
                ]
            ])
    }

    @Test("A column from a separate block, or a slightly skewed one, is in the same rows")
    func columnsFirst() {
        let rows = page(
            [
                [(0, "North"), (20, "12"), (30, "14")], [(0, "South"), (20, "7"), (30, "9")],
                [(0, "West"), (20, "31"), (30, "2")],
            ], dy: { $0 / 60 })
        let byColumn = rows.blocks.sorted { $0.box.x < $1.box.x }
        let text = PageText(blocks: byColumn, languages: [])
        #expect(
            text.tables.map(\.rows) == [
                [["North", "12", "14"], ["South", "7", "9"], ["West", "31", "2"]]
            ])
    }

    @Test("A title over several columns, headings between rows and gaps stay in one table")
    func titles() {
        let text = page([
            [(0, "Quarterly report of the company")],
            [],
            [],
            [(22, "Actual of the year")],
            [(0, "Segment"), (20, "2011"), (30, "2012"), (40, "2013")],
            [(0, "Cast products")],
            [(2, "Revenue"), (20, "573.3"), (30, "619.7"), (40, "612.4")],
            [(2, "Margin"), (20, "33.1%"), (30, "33.3%"), (40, "34.1%")],
            [],
            [(0, "Forged products")],
            [(2, "Revenue"), (20, "801.4"), (30, "857.2"), (40, "761.2")],
        ])
        let tables = text.tables
        #expect(tables.count == 1)
        #expect(tables.first?.rows.first == ["Segment", "2011", "2012", "2013"])
        #expect(tables.first?.rows[1] == ["Cast products", "", "", ""])
        #expect(tables.first?.rows.last == ["Revenue", "801.4", "857.2", "761.2"])
    }

    @Test("Two tables with a wide gap between them are two")
    func two() {
        let rows = [[(0, "a"), (20, "1")], [(0, "b"), (20, "2")], [(0, "c"), (20, "3")]]
        #expect(page(rows + [[], [], []] + rows).tables.map(\.rows.count) == [3, 3])
    }

    @Test("Columns of running text, a paragraph and a letter's head are not tables")
    func prose() {
        let left = "the quick brown fox jumps over"
        let right = "a lazy dog that sleeps all day"
        #expect(page((0..<12).map { _ in [(0, left), (40, right)] }).tables.isEmpty)
        #expect(page((0..<8).map { _ in [(0, left + " " + right)] }).tables.isEmpty)
        #expect(
            page([
                [(0, "Ada Lovelace"), (40, "12 May 1843")], [(0, "St James's Square")], [],
                [(0, "Dear Sir,")], [(0, left)], [(0, right)],
            ]).tables.isEmpty)
    }

    @Test("Nothing, one word and words without a size are not tables")
    func nothing() {
        #expect(page([]).tables.isEmpty)
        #expect(page([[(0, "word")]]).tables.isEmpty)
        let flat = Word(text: "a", box: Box(x: 0, y: 0, width: 0, height: 0), confidence: 0)
        let line = TextLine(words: [flat, flat], box: flat.box)
        let block = TextBlock(
            paragraphs: [Paragraph(lines: [line, line, line], box: flat.box)], box: flat.box)
        #expect(PageText(blocks: [block, block, block], languages: []).tables.isEmpty)
        let far = Box(x: .max, y: .min, width: .max, height: .max)
        let edge = TextLine(words: [Word(text: "a", box: far, confidence: 1)], box: far)
        let paragraph = Paragraph(lines: [edge, edge, edge, edge], box: far)
        let page = PageText(
            blocks: [TextBlock(paragraphs: [paragraph], box: far)], languages: [])
        #expect(page.tables.isEmpty)
    }
}
