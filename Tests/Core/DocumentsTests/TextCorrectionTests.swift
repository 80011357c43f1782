import Documents
import Testing

@Suite struct TextCorrectionTests {
    /// Lines of words with 10 pixels per letter.
    private static func text(_ lines: [String]) -> PageText {
        let page = Box(x: 0, y: 0, width: 1_000, height: 1_000)
        let made = lines.enumerated().map { row, line in
            var x = 0
            let words = line.split(separator: " ").map { word in
                defer { x += 10 * (word.count + 1) }
                return Word(
                    text: String(word),
                    box: Box(x: x, y: 20 * row, width: 10 * word.count, height: 15),
                    confidence: 0.5)
            }
            return TextLine(words: words, box: Box(x: 0, y: 20 * row, width: x, height: 15))
        }
        return PageText(
            blocks: [TextBlock(paragraphs: [Paragraph(lines: made, box: page)], box: page)],
            languages: ["eng"])
    }

    @Test("A corrected word keeps its place, and the others stay unchanged")
    func oneWord() {
        let old = Self.text(["lnvoice 2291 of May", "total due"])
        let new = old.corrected(
            to: "Invoice 2291 of May\ntotal due", in: PageFrame(width: 1, height: 1))
        #expect(new.words.map(\.text) == ["Invoice", "2291", "of", "May", "total", "due"])
        #expect(new.words.map(\.box) == old.words.map(\.box))
        #expect(new.words[0].confidence == 1 && new.words[1].confidence == 0.5)
        #expect(new.lines.count == 2)
    }

    @Test("A word for several parts gets their places")
    func joining() {
        let new = Self.text(["in voice"]).corrected(
            to: "invoice", in: PageFrame(width: 1, height: 1))
        #expect(new.words.map(\.text) == ["invoice"])
    }

    @Test("Words for a single one share its place")
    func dividing() {
        let old = Self.text(["a totaldue b"])
        let new = old.corrected(to: "a total due b", in: PageFrame(width: 1, height: 1))
        #expect(new.words.map(\.text) == ["a", "total", "due", "b"])
        let whole = old.words[1].box
        #expect(new.words[1].box.x == whole.x && new.words[2].box.x > whole.x)
        #expect(new.words[2].box.x + new.words[2].box.width == whole.x + whole.width)
    }

    @Test("A page without text gets the typed lines")
    func fresh() {
        let new = PageText(blocks: [], languages: ["eng"])
            .corrected(to: "one two\n\nthree", in: PageFrame(width: 300, height: 200))
        #expect(new.plainText == "one two\nthree")
        #expect(new.lines.map(\.box.y) == [0, 100])
    }

    @Test("A cut page keeps its hidden words, and typed text replaces the visible ones")
    func cut() {
        let old = Self.text(["hidden lnvoice", "hidden total"])
        let frame = PageFrame(
            width: 500, height: 500, crop: Box(x: 65, y: 0, width: 435, height: 500))
        let new = old.corrected(to: "Invoice total", in: frame)
        #expect(new.shown(in: frame).plainText == "Invoice\ntotal")
        #expect(new.plainText == "hidden Invoice\nhidden total")
        let empty = PageFrame(
            width: 500, height: 500, crop: Box(x: 0, y: 300, width: 500, height: 200))
        let added = old.corrected(to: "written below", in: empty)
        #expect(added.shown(in: empty).plainText == "written below")
        #expect(added.plainText.hasPrefix(old.plainText))
    }

    @Test(
        "Any typed text is stored, within its line's place",
        arguments: 0..<60 as Range<UInt64>)
    func anyText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let vocabulary = ["a", "bb", "ccc", "dd", "e"]
        func words(_ generator: inout SeededGenerator) -> [String] {
            (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                vocabulary.randomElement(using: &generator) ?? "a"
            }
        }
        let old = Self.text([
            words(&random).joined(separator: " "), words(&random).joined(separator: " "),
        ])
        let wanted = words(&random)
        let new = old.corrected(
            to: wanted.joined(separator: "\n"), in: PageFrame(width: 500, height: 500))
        #expect(new.words.map(\.text) == wanted)
        if !old.words.isEmpty {
            let rows = Set(old.words.map(\.box.y))
            #expect(new.words.allSatisfy { rows.contains($0.box.y) && $0.box.width >= 0 })
        }
    }
}
