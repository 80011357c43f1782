import Documents
import Testing

@testable import Readers

@Suite("Words in place of others") struct RegionReplacingTests {
    private func line(_ text: String, y: Int, x: Int = 100) -> TextLine {
        let word = Word(
            text: text, box: Box(x: x, y: y, width: 10 * text.count, height: 20), confidence: 0.9)
        return TextLine(words: [word], box: word.box)
    }

    private func page(_ lines: [TextLine]) -> PageText {
        let box = Box(around: lines.map(\.box))!
        return PageText(
            blocks: [TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)],
            languages: ["eng"])
    }

    private func replaced(
        _ added: TextLine, in box: Box, isTurned: Bool = false
    ) -> [String] {
        page([line("one", y: 100), line("two", y: 200), line("three", y: 300)])
            .replacingWords(in: box, with: [added], isTurned: isTurned).words.map(\.text)
    }

    @Test("New words take the place of those in the region")
    func replaces() {
        let box = Box(x: 90, y: 190, width: 200, height: 40)
        #expect(replaced(line("TWO", y: 200), in: box) == ["one", "TWO", "three"])
    }

    @Test("Where no word was, they follow the line above, and turned ones the whole text")
    func inserts() {
        let box = Box(x: 90, y: 240, width: 200, height: 40)
        #expect(replaced(line("new", y: 250), in: box) == ["one", "two", "new", "three"])
        #expect(
            replaced(line("new", y: 250), in: box, isTurned: true)
                == ["one", "two", "three", "new"])
        let above = Box(x: 90, y: 40, width: 200, height: 40)
        #expect(replaced(line("new", y: 50), in: above) == ["new", "one", "two", "three"])
        let beside = Box(x: 900, y: 140, width: 200, height: 40)
        #expect(
            replaced(line("new", y: 150, x: 910), in: beside) == ["one", "two", "three", "new"])
    }
}
