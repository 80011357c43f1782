import Documents
import Imaging
import Testing

@testable import Recognition

/// A number with the characters of `text`, each with `confidence`; the remaining probability
/// belongs to the characters of `other`.
private func signs(_ text: String, confidence: Double = 0.98, or other: Character = "S")
    -> SignReading
{
    SignReading(words: [
        text.enumerated().map { index, letter in
            SignReading.Sign(
                chances: [letter: confidence, other: 1 - confidence],
                box: Box(x: 160 + 20 * index, y: 0, width: 20, height: 30))
        }
    ])
}

private func text(_ number: String) -> PageText {
    let words = [
        Word(text: "Serial:", box: Box(x: 0, y: 0, width: 140, height: 30), confidence: 0.9),
        Word(
            text: number, box: Box(x: 160, y: 0, width: 20 * number.count, height: 30),
            confidence: 0.9),
    ]
    let box = Box(x: 0, y: 0, width: 600, height: 30)
    return PageText(
        blocks: [
            TextBlock(
                paragraphs: [Paragraph(lines: [TextLine(words: words, box: box)], box: box)],
                box: box)
        ], languages: ["eng"])
}

@Suite struct SignReaderTests {
    @Test("A number read character by character replaces that of readers that expect words")
    func decides() throws {
        let readings = Array(repeating: text("F4GVN9QXSM"), count: 9)
        let found = try #require(
            SerialReader().read(
                readings, signs: Array(repeating: signs("F4GVN9QX5M"), count: 3)
            ).first)
        #expect(found.text == "F4GVN9QX5M")
        #expect(found.alternatives.contains("F4GVN9QXSM"))
        #expect(SerialReader().read(readings).first?.text == "F4GVN9QXSM")
    }

    @Test("Uncertain characters give a number that should be checked")
    func unsure() throws {
        let found = try #require(
            SerialReader(kinds: [.apple]).read(
                [text("F4GVN9QX5M")],
                signs: Array(repeating: signs("F4GVN9QX5M", confidence: 0.8), count: 3)
            ).first)
        #expect(found.confidence < SerialReader.certain)
    }

    @Test("A number that was read character by character gets the label of the text at its place")
    func labels() throws {
        let found = try #require(
            SerialReader(kinds: [.labeled]).read(
                [text("884177A209")], signs: [signs("884177A209")]
            ).first)
        #expect(found.kind == .labeled && found.text == "884177A209")
    }

    @Test("Characters of a label that a text reader has found do not belong to the number")
    func behindLabel() {
        let label = "SN".enumerated().map { index, letter in
            SignReading.Sign(
                chances: [letter: 0.98], box: Box(x: 20 + 60 * index, y: 0, width: 20, height: 30))
        }
        let reading = SignReading(words: [label, signs("F4GVN9QX5M").words[0]])
        func tokens(_ labels: [Box]) -> [String] {
            SerialToken.all(in: reading, behind: labels, reading: 0).map { String($0.letters) }
        }
        #expect(tokens([]) == ["SNF4GVN9QX5M", "F4GVN9QX5M"])
        #expect(tokens(SerialToken.labels(in: text("F4GVN9QX5M"))) == ["F4GVN9QX5M"])
    }

    @Test("Text readers decide the number of characters if readings by character disagree")
    func length() throws {
        let found = try #require(
            SerialReader(kinds: [.labeled]).read(
                Array(repeating: text("F4GVN9QX5M"), count: 3),
                codes: Array(repeating: text("F4GVN9QX5M"), count: 3),
                signs: [signs("F4GVN9QX5M7"), signs("F4GVN9QX57M7")]
            ).first)
        #expect(found.text == "F4GVN9QX5M")
    }

    @Test("A number without label and check digit has less confidence than one with a label")
    func unlabeled() throws {
        let readings = Array(repeating: signs("F4GVN9QX5M"), count: 3)
        let reader = SerialReader(kinds: [.apple])
        let bare = try #require(reader.read([], signs: readings).first)
        let labeled = try #require(reader.read([text("F4GVN9QX5M")], signs: readings).first)
        #expect(bare.text == labeled.text)
        #expect(bare.confidence < 0.9 * labeled.confidence)
    }

    @Test("Nothing is read on white paper or beyond the picture")
    func nothing() {
        let white = PrintedPage(width: 600, height: 80).raster()
        #expect(SignReader.read(white, at: Box(x: 60, y: 20, width: 300, height: 30)).isEmpty)
        #expect(SignReader.read(white, at: Box(x: 9_000, y: 20, width: 300, height: 30)).isEmpty)
        #expect(SignReader.read(white, at: Box(x: 0, y: 0, width: 0, height: 0)).isEmpty)
    }

    @Test("Digits among letters are read by their shape, in fonts outside of the training")
    func shapes() throws {
        let page = PrintedPage(width: 900, height: 120).print(["HK8253XLA"], x: 120, y: 60)
            .raster(factor: 2)
        let ink = try #require(
            page.inkBox(within: Box(x: 0, y: 0, width: page.width, height: page.height)))
        let found = SignReader.read(page, at: ink)
        #expect(
            found.contains { $0.words.flatMap(\.self).map(\.letter) == Array("HK8253XLA") })
    }

    @Test("Rows between the bars of letters belong to the letters, and rows of weak streaks do not")
    func bars() throws {
        var image = Raster(width: 300, height: 70, format: .gray8)
        let stride = image.stride
        image.withMutableBytes { bytes in
            for y in 0..<70 {
                for x in 0..<300 {
                    // Ten letters, each of a stem and two bars, and a streak above them.
                    let inLetter = x % 30 < 20
                    let isBar = (20..<24).contains(y) || (46..<50).contains(y)
                    let isInk = isBar ? inLetter : (20..<50).contains(y) && x % 30 < 7
                    let isStreak = (8..<12).contains(y) && x < 30
                    bytes[y * stride + x] = isInk || isStreak ? 0 : 255
                }
            }
        }
        let place = Box(x: 0, y: 10, width: 300, height: 45)
        #expect(
            SignReader.withoutMargins(place, in: image)
                == Box(x: 0, y: 20, width: 300, height: 30))
    }

    @Test("A number is found at any place, by its characters alone", arguments: [30, 80])
    func rows(top: Int) throws {
        let page = PrintedPage(width: 400, height: 110).print(["F4GVN9QX5M"], x: 60, y: top)
            .raster(factor: 2)
        let ink = try #require(
            page.inkBox(within: Box(x: 0, y: 0, width: page.width, height: page.height)))
        let place = try #require(
            SerialReader(kinds: [.apple]).place(in: SignReader.readRows(of: page)))
        #expect(abs(place.x - ink.x) < ink.height && abs(place.right - ink.right) < ink.height)
        #expect(abs(place.y + place.height / 2 - ink.y - ink.height / 2) < ink.height / 2)
    }

    @Test("A picture without characters has no place for a number")
    func noRows() {
        let white = PrintedPage(width: 600, height: 80).raster()
        #expect(SerialReader().place(in: SignReader.readRows(of: white)) == nil)
        let dot = PrintedPage(width: 1, height: 1).raster()
        #expect(SignReader.readRows(of: dot).isEmpty)
    }
}
