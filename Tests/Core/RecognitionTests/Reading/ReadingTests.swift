import Documents
import Imaging
import Readers
import Recognition
import Testing

@Suite struct ReadingTests {
    private let pool = RecognizerPool(workers: 2, command: .real)

    private func words(_ raster: Raster) async throws -> [String] {
        try await pool.recognize(raster, languages: ["eng"]).words.map(\.text)
    }

    @Test("Printed words are read with confidence, and the box of each is on its ink")
    func readsWords() async throws {
        let page = PrintedPage(width: 1200, height: 400)
            .print(
                ["The quick brown fox jumps over", "the lazy dog near the river"], x: 100, y: 120
            )
            .raster()
        let text = try await pool.recognize(page, languages: ["eng"])
        #expect(
            text.words.map(\.text)
                == ["The", "quick", "brown", "fox", "jumps", "over"]
                + ["the", "lazy", "dog", "near", "the", "river"])
        #expect(text.lines.count == 2)
        #expect(text.languages == ["eng"])
        for word in text.words {
            #expect(word.confidence > 0.6 && word.confidence <= 1, "\(word.text)")
            let ink = try #require(page.inkBox(within: word.box.grown(by: 6, in: page)))
            #expect(abs(word.box.x - ink.x) <= 4, "\(word.text): \(word.box) on \(ink)")
            #expect(abs(word.box.y - ink.y) <= 4, "\(word.text): \(word.box) on \(ink)")
            #expect(abs(word.box.width - ink.width) <= 6, "\(word.text): \(word.box) on \(ink)")
            #expect(abs(word.box.height - ink.height) <= 6, "\(word.text): \(word.box) on \(ink)")
        }
        for line in text.lines {
            let baseline = try #require(line.baseline)
            #expect((line.box.y...line.box.y + line.box.height + 3).contains(baseline.y1))
            #expect(abs(baseline.y1 - baseline.y2) <= 6)
        }
    }

    @Test("Two columns are read one after the other")
    func readsColumns() async throws {
        let left = (0..<12).map { "alpha left line number \($0 + 10)" }
        let right = (0..<12).map { "omega right line number \($0 + 10)" }
        let page = PrintedPage(width: 1500, height: 900)
            .print(left, x: 100, y: 120).print(right, x: 860, y: 120).raster()
        let read = try await words(page)
        let lastLeft = try #require(read.lastIndex(of: "left"))
        let firstRight = try #require(read.firstIndex(of: "right"))
        #expect(lastLeft < firstRight)
        #expect(read.filter { $0 == "left" }.count == 12)
        #expect(read.filter { $0 == "right" }.count == 12)
        #expect(
            read.filter { Int($0) != nil }.compactMap { Int($0) } == Array(10..<22) + Array(10..<22)
        )
    }

    @Test(
        "Letters of any size are found, whatever resolution is stated",
        arguments: [(0.5, nil), (1, nil), (2, nil), (2, 600), (1, 72), (1, 150)]
            as [(Float, Double?)])
    func readsSizes(factor: Float, resolution: Double?) async throws {
        let page = PrintedPage(width: 1200, height: 400)
            .print(["Number 4711 was delivered", "to the harbour on Monday"], x: 100, y: 120)
            .raster(resolution: resolution, factor: factor)
        let text = try await pool.recognize(page, languages: ["eng"])
        #expect(
            text.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                == "Number 4711 was delivered to the harbour on Monday")
        for word in text.words {
            #expect(word.box.x + word.box.width <= page.width)
            #expect(page.inkBox(within: word.box) != nil)
        }
    }

    @Test("A page that reads badly at the claimed size is examined again")
    func readsAgain() async throws {
        // A page of a book that was mistaken for a bank card, so that letters of 20 pixels would be
        // half a millimeter tall.
        let page = PrintedPage(width: 1200, height: 400)
            .print(["Number 4711 was delivered", "to the harbour on Monday"], x: 100, y: 120)
            .raster(resolution: 1000)
        let wanted = "Number 4711 was delivered to the harbour on Monday"
        func read(_ reader: any TextRecognizer) async throws -> PageText {
            try await reader.recognize(page, languages: ["eng"])
        }
        func spoken(_ text: PageText) -> String {
            text.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(spoken(try await read(pool)) != wanted)
        let readers = Readers(workers: 1, engine: .real, environment: [:])
        let text = try await read(readers.reader("tesseract"))
        #expect(spoken(text) == wanted)
        for word in text.words { #expect(page.inkBox(within: word.box) != nil) }
        await readers.shutdown()
    }

    @Test("The same words are read from every pixel format", arguments: PixelFormat.allCases)
    func readsFormats(format: PixelFormat) async throws {
        let page = PrintedPage(width: 900, height: 240)
            .print(["Every format carries words"], x: 101, y: 100).raster()
        #expect(
            try await words(page.converted(to: format)) == ["Every", "format", "carries", "words"])
    }

    @Test(
        "Pictures without text give empty text",
        arguments: [
            ("blank page", PrintedPage(width: 1000, height: 1400).raster()),
            ("all black", Raster(width: 800, height: 600, format: .gray8, resolution: 300)),
            ("all black bits", Raster(width: 801, height: 600, format: .bilevel)),
            ("one row", PrintedPage(width: 2000, height: 1).raster()),
            ("one column", PrintedPage(width: 1, height: 2000).raster(resolution: nil)),
            ("one pixel", Raster(width: 1, height: 1, format: .rgb16)),
            (
                "gray photo",
                PrintedPage(width: 600, height: 600)
                    .fill(x: 0, y: 0, width: 600, height: 300, with: 120).raster()
            ),
        ])
    func readsNothing(name: String, page: Raster) async throws {
        #expect(try await words(page) == [], "\(name)")
    }

    @Test("A picture larger than the engine accepts is refused with its size")
    func refusesHugePictures() async throws {
        let error = await #expect(throws: RecognitionError.self) {
            try await words(Raster(width: 40_000, height: 8, format: .bilevel))
        }
        #expect(error?.code == .engineFailed)
        #expect(error?.message.contains("40000 × 8") == true)
    }

    @Test("The orientation of a page is found by its letters", arguments: 0...3)
    func detectsOrientation(turns: Int) async throws {
        let line = "Several hundred letters are needed before this is sure"
        let page = PrintedPage(width: 1500, height: 1250)
            .print((0..<18).map { "\(line) \($0)" }, x: 80, y: 100)
            .raster(quarterTurns: turns)
        let guess = try #require(try await pool.detectOrientation(page))
        #expect((turns + guess.quarterTurns) % 4 == 0)
        #expect(guess.confidence > 2)
    }

    @Test("A blank page has no orientation")
    func detectsNoOrientation() async throws {
        let page = PrintedPage(width: 1000, height: 1400).raster()
        #expect(try await pool.detectOrientation(page) == nil)
    }
}
