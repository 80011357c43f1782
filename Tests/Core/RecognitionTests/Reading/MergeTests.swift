import Documents
import Recognition
import Testing

@testable import Readers

/// A line of words with letters `pitch` pixels wide, and spaces of the same width.
private func line(
    _ text: String, x: Int = 100, y: Int = 100, _ confidence: Double = 0.95, pitch: Int = 10
) -> TextLine {
    var left = x
    var words: [Word] = []
    for word in text.split(separator: " ") {
        words.append(
            Word(
                text: "\(word)", box: Box(x: left, y: y, width: pitch * word.count, height: 20),
                confidence: confidence))
        left += pitch * (word.count + 1)
    }
    return TextLine(words: words, box: Box(around: words.map(\.box))!)
}

private func page(_ lines: [TextLine]) -> PageText {
    let box = Box(around: lines.map(\.box)) ?? Box(x: 0, y: 0, width: 0, height: 0)
    return PageText(
        blocks: [TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)],
        languages: ["eng"])
}

@Suite("The choice between two readings") struct LineMergeTests {
    private func merged(_ engine: [TextLine], _ network: [TextLine]) -> [String] {
        LineMerge(engine: page(engine), network: page(network)).text().lines.map {
            $0.words.map(\.text).joined(separator: " ")
        }
    }

    @Test("If both readers read the same, the network's letters get the spaces of both")
    func spaces() {
        let text = merged(
            [line("The qu1ck brown fox", 0.9)], [line("Thequick brownfox", pitch: 12)])
        #expect(text == ["The quick brown fox"])
    }

    @Test("The evidence names both readers, and the degree of their agreement")
    func evidence() throws {
        var (engine, network) = (page([line("abcd")]), page([line("abxy")]))
        engine.evidence = ReadingEvidence(
            readers: ["one"], sureness: 0.4, unread: 0.25, known: 0.5)
        network.evidence = ReadingEvidence(readers: ["two"], sureness: 0.9)
        let evidence = try #require(LineMerge(engine: engine, network: network).text().evidence)
        #expect(evidence.readers == ["one", "two"] && evidence.unread == 0.25)
        #expect(evidence.known == 0.5)
        // Both readings share two of four letters.
        #expect(evidence.agreement == 0.5)
    }

    @Test("The parts of a word share its box")
    func boxes() throws {
        let text = LineMerge(
            engine: page([line("one two")]), network: page([line("onetwo")])
        ).text()
        #expect(
            text.words.map(\.box) == [
                Box(x: 100, y: 100, width: 30, height: 20),
                Box(x: 130, y: 100, width: 30, height: 20),
            ])
    }

    @Test("A wide space is used if both readers read the same letters on both its sides")
    func wideSpaces() {
        #expect(merged([line("mille hazards", 0.4)], [line("millehazards")]) == ["mille hazards"])
        var narrow = line("mille hazards", 0.4)
        narrow.words[1].box.x = narrow.words[0].box.right + 2
        #expect(merged([narrow], [line("millehazards")]) == ["millehazards"])
    }

    @Test("A space is dropped if all letters differ, or those beside it and the engine is unsure")
    func wrongSpaces() {
        #expect(merged([line("inv0 ice", 0.5)], [line("invoice")]) == ["invoice"])
        #expect(merged([line("inv0 ice", 0.9)], [line("invoice")]) == ["invo ice"])
        #expect(merged([line("xyz abc")], [line("invoice")]) == ["invoice"])
    }

    @Test("A word that only the engine is sure of replaces the network's at the same place")
    func words() {
        var network = line("the qvick fox")
        network.words[1].confidence = 0.8
        #expect(merged([line("the quick fox", 0.97)], [network]) == ["the quick fox"])
        #expect(merged([line("the quick fox", 0.92)], [network]) == ["the qvick fox"])
        network.words[1].confidence = 0.95
        #expect(merged([line("the quick fox", 0.97)], [network]) == ["the qvick fox"])
    }

    @Test("If lines differ, the engine's is kept if only the engine is sure")
    func surer() {
        let engine = [line("Straight words of print", 0.97)]
        #expect(merged(engine, [line("5tra1 w0r pr1mt xx", 0.6)]) == ["Straight words of print"])
        #expect(merged([line("Sxyyzz", 0.4)], [line("Straight", 0.6)]) == ["Straight"])
    }

    @Test("A word that only one reader saw is kept; the engine's only if the engine is sure of it")
    func alone() {
        let text = merged(
            [line("seen by one", y: 100, 0.9), line("noise", y: 400, 0.3)],
            [line("seen by other", y: 200)])
        #expect(text == ["seen by one", "seen by other"])
        // A few letters with little confidence of the engine are noise.
        #expect(merged([line("it", 0.5)], [line("seen", y: 200)]) == ["seen"])
        #expect(merged([line("it", 0.7)], [line("seen", y: 200)]) == ["it", "seen"])
        #expect(merged([line("it is", 0.5)], [line("seen", y: 200)]) == ["it is", "seen"])
    }
}

@Suite("The choice between several readings by one reader") struct BestLinesTests {
    private func best(_ first: [TextLine], _ others: [[TextLine]]) -> [String] {
        BestLines(first: page(first), others: others.map(page)).text().lines.map {
            $0.words.map(\.text).joined(separator: " ")
        }
    }

    @Test("The reading of a page with clearly more confident letters replaces the first reading")
    func pages() {
        let more = [line("one two three", 0.9), line("four five", y: 200, 0.9)]
        #expect(best([line("one", 0.9)], [more]) == ["one two three", "four five"])
        // Noise does not count, no matter how much there is.
        let noise = (0..<9).map { line("xx yy zz", y: 300 + 40 * $0, 0.3) }
        #expect(best([line("one", 0.9)], [noise]) == ["one"])
    }

    @Test(
        "Each line comes from the reading with the highest confidence, or in doubt the first"
    )
    func lines() {
        let first = [line("The quick fox", 0.9), line("jumqs ouer", y: 200, 0.5)]
        let other = [line("Thc qnick fax", 0.5), line("jumps over", y: 200, 0.9)]
        #expect(best(first, [other]) == ["The quick fox", "jumps over"])
        #expect(best([line("same", 0.9)], [[line("sane", 0.92)]]) == ["same"])
        #expect(best([line("alone", 0.9)], []) == ["alone"])
    }

    @Test("The evidence is that of the chosen page, with the words' present confidence")
    func evidence() {
        var first = page([line("The quick fox runs", 0.9), line("jumqs ouer the dog", y: 200, 0.5)])
        first.evidence = ReadingEvidence(readers: ["tesseract"], sureness: 0.7, unread: 0.1)
        var other = page([line("jumps over the dog", y: 200, 0.9)])
        other.evidence = ReadingEvidence(readers: ["tesseract"], sureness: 0.9, unread: 0.6)
        let evidence = BestLines(first: first, others: [other]).text().evidence
        #expect(abs((evidence?.sureness ?? 0) - 0.9) < 1e-9 && evidence?.unread == 0.1)
    }
}

@Suite("The order of reading of lines") struct ReadingOrderTests {
    @Test("Rows of a table are read across, from top to bottom")
    func table() {
        let cells = (0..<5).reversed().flatMap { row in
            (0..<3).reversed().map { line("r\(row)c\($0)", x: 100 + 400 * $0, y: 100 + 40 * row) }
        }
        let text = PageText(blocks: ReadingOrder.blocks(of: cells), languages: [])
        #expect(
            text.lines.map { $0.words.map(\.text).joined(separator: " ") }
                == (0..<5).map { "r\($0)c0 r\($0)c1 r\($0)c2" })
    }

    @Test("Columns of prose are read one after the other")
    func columns() {
        let words = "a line of prose that fills its column"
        let lines = (0..<6).flatMap { row in
            [
                line("left\(row) \(words)", x: 50, y: 100 + 30 * row),
                line("right\(row) \(words)", x: 700, y: 100 + 30 * row),
            ]
        }
        let blocks = ReadingOrder.blocks(of: lines)
        let first = blocks.map { $0.paragraphs.flatMap(\.lines).map { $0.words[0].text } }
        #expect(first == [(0..<6).map { "left\($0)" }, (0..<6).map { "right\($0)" }])
    }

    @Test("A gap as tall as a line ends a paragraph; no lines give no text")
    func paragraphs() {
        let lines = [100, 125, 200].map { line("words", y: $0) }
        #expect(
            ReadingOrder.blocks(of: lines).map { $0.paragraphs.map(\.lines.count) } == [[2, 1]])
        #expect(ReadingOrder.blocks(of: []).isEmpty)
    }
}
