import Documents
import Recognition
import Testing

@testable import Readers
@testable import TextEngine

@Suite("The words of a page, looked up in the language's dictionary") struct DictionaryTests {
    private static let english = [
        "The boy went home with his brother after school because",
        "their mother had promised that she would bake a large cake",
        "for every child who helped with the work in the garden",
    ]
    private static let french = [
        "Les enfants jouaient dans la cour pendant que leur grand",
        "oncle preparait le repas avec beaucoup de soin pour tous",
        "ceux qui devaient arriver avant la nuit chez nos voisins",
    ]

    @Test(
        "Nearly all words of a page are known in its language, and few in another",
        arguments: [(english, false), (french, true)])
    func shares(lines: [String], isForeign: Bool) async throws {
        let pool = RecognizerPool(workers: 1, command: .real)
        let page = PrintedPage(width: 1600, height: 400).print(lines, x: 100, y: 100)
        let (text, doubt) = try await pool.read(page.raster(), languages: ["eng"])
        let known = try #require(text.evidence?.known)
        #expect(doubt.known == known)
        #expect(isForeign ? known < 0.75 : known > 0.9, "\(known) of \(text.words.map(\.text))")
        #expect(!isForeign || doubt.isLarge)
    }

    @Test("Words of fewer than three letters, numbers and the like are not looked up")
    func words() {
        let words = [
            "\u{201C}Ship,\u{201D}", "of", "B2B", "1926", "l'eau", "(fools)", "\u{2014}", "Łódź",
        ]
        let line = ReaderWire.Line(
            reading: 1,
            words: words.map {
                ReaderWire.Word(text: $0, quad: [0, 0, 9, 0, 9, 9, 0, 9], confidence: 1)
            })
        #expect(DictionaryWords([line]).words == ["Ship", "fools", "Łódź"])
    }

    @Test(
        "A page is doubtful if few of its words are known, but not for a few words, or for none known",
        arguments: [
            (30, 20, true), (30, 29, false), (19, 1, false), (30, 0, false), (20, 14, true),
            (30, -5, false), (30, 99, false),
        ])
    func doubts(lookedUp: Int, known: Int, isLarge: Bool) {
        let word = Word(text: "word", box: Box(x: 0, y: 0, width: 40, height: 20), confidence: 1)
        let line = TextLine(words: [word, word, word], box: word.box)
        let text = PageText(
            blocks: [
                TextBlock(paragraphs: [Paragraph(lines: [line], box: line.box)], box: line.box)
            ], languages: ["eng"])
        let facts = ReaderWire.ReadAnswer(
            shapes: 100, unread: 0, lookedUp: lookedUp, known: known)
        #expect(Doubt(text, facts).isLarge == isLarge)
    }

    @Test("Without a dictionary nothing is known about the words")
    func none() {
        let text = PageText(blocks: [], languages: ["eng"])
        #expect(Doubt(text, ReaderWire.ReadAnswer()).known == nil)
    }
}
