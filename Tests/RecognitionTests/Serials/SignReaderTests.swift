import Documents
import Imaging
import Testing

@testable import Recognition

/// A number whose signs are those of `text`, each with `confidence`; the rest of each chance is `other`'s.
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
    @Test("What was read sign by sign decides against readers that expect words")
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

    @Test("Signs that are unsure leave a number that should be looked at")
    func unsure() throws {
        let found = try #require(
            SerialReader(kinds: [.apple]).read(
                [text("F4GVN9QX5M")],
                signs: Array(repeating: signs("F4GVN9QX5M", confidence: 0.8), count: 3)
            ).first)
        #expect(found.confidence < SerialReader.certain)
    }

    @Test("A number that was read sign by sign takes the label of what stands at its place")
    func labels() throws {
        let found = try #require(
            SerialReader(kinds: [.labelled]).read(
                [text("884177A209")], signs: [signs("884177A209")]
            ).first)
        #expect(found.kind == .labelled && found.text == "884177A209")
    }

    @Test("Nothing is read where there is nothing, or beyond the picture")
    func nothing() {
        let white = PrintedPage(width: 600, height: 80).raster()
        #expect(SignReader.read(white, at: Box(x: 60, y: 20, width: 300, height: 30)).isEmpty)
        #expect(SignReader.read(white, at: Box(x: 9_000, y: 20, width: 300, height: 30)).isEmpty)
        #expect(SignReader.read(white, at: Box(x: 0, y: 0, width: 0, height: 0)).isEmpty)
    }

    @Test("Digits among letters are read by their shape, in print it was never trained on")
    func shapes() throws {
        let page = PrintedPage(width: 900, height: 120).print(["HK8253XLA"], x: 120, y: 60)
            .raster(factor: 2)
        let ink = try #require(
            page.inkBox(within: Box(x: 0, y: 0, width: page.width, height: page.height)))
        let found = SignReader.read(page, at: ink)
        #expect(
            found.contains { $0.words.flatMap(\.self).map(\.letter) == Array("HK8253XLA") })
    }

    @Test("A number is found wherever it stands, by its signs alone", arguments: [30, 80])
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

    @Test("Where there are no signs, there is no place for a number")
    func noRows() {
        let white = PrintedPage(width: 600, height: 80).raster()
        #expect(SerialReader().place(in: SignReader.readRows(of: white)) == nil)
        let dot = PrintedPage(width: 1, height: 1).raster()
        #expect(SignReader.readRows(of: dot).isEmpty)
    }
}
