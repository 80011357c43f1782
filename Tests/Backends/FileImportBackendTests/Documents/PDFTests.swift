import CaptureKit
import FileImportBackend
import Testing

@Suite struct PDFTests {
    private func record(
        _ pages: [PDFFixture.Page], _ options: [String: OptionValue] = [:]
    ) async throws -> Recording {
        let scratch = try Scratch()
        return try await FileImportBackendTests.record(
            scratch.file("a.pdf", PDFFixture.bytes(pages)), options)
    }

    @Test("A page is rendered at 300 dpi by default, and reports it")
    func rendered() async throws {
        // A red rectangle over the left half of a page of 144 × 72 points.
        let page = PDFFixture.Page(size: (144, 72), content: "1 0 0 rg 0 0 72 72 re f")
        let plain = try #require(try await record([page]).pages.first)
        #expect(plain.description.format == .rgb8)
        #expect(plain.description.width == 600)
        #expect(plain.description.height == 300)
        #expect(plain.description.resolution == Resolution(x: 300))
        let row = pixels(plain.bytes, size: 3)[150 * 600..<151 * 600]
        #expect(row.prefix(299).allSatisfy { $0 == [255, 0, 0] })
        #expect(row.suffix(299).allSatisfy { $0 == [255, 255, 255] })
        let coarse = try #require(
            try await record([page], ["resolution": .integer(72)]).pages.first)
        #expect(coarse.description.width == 144)
        #expect(coarse.description.resolution == Resolution(x: 72))
    }

    @Test("A rendered page without color is gray, and a blank one is bilevel")
    func reduced() async throws {
        let recording = try await record([
            .init(content: "0.5 g 20 20 50 50 re f"), .init(content: ""),
            .init(content: "BT /F1 24 Tf 20 40 Td (Hamburg) Tj ET"),
        ])
        #expect(recording.pages.map(\.description.format) == [.gray8, .bilevel, .gray8])
        #expect(recording.labels == ["a.pdf, page 1", "a.pdf, page 2", "a.pdf, page 3"])
        #expect(recording.pages[1].bytes.allSatisfy { $0 == 0 })
        #expect(recording.pages[2].bytes.contains { $0 < 64 })
    }

    @Test("The option 'pages' and a page's own rotation are honored")
    func turned() async throws {
        let recording = try await record(
            [
                .init(size: (144, 72), content: ""),
                .init(size: (144, 72), content: "0 0 1 rg 0 0 72 72 re f", rotate: 90),
            ], ["pages": .text("2"), "resolution": .integer(72)])
        let page = try #require(recording.pages.first)
        #expect(recording.pages.count == 1)
        #expect(page.description.width == 72)
        // The left half is on top after a quarter turn clockwise.
        let all = pixels(page.bytes, size: 3)
        #expect(all[10 * 72 + 36] == [0, 0, 255])
        #expect(all[130 * 72 + 36] == [255, 255, 255])
    }

    @Test("An encrypted PDF opens with its user's or its owner's password only")
    func encrypted() async throws {
        let scratch = try Scratch()
        let bytes = try PDFFixture.encrypted(
            PDFFixture.bytes([.init(content: "")]), user: "open", owner: "sesame")
        let path = try scratch.file("secret.pdf", bytes)
        let missing = try await failure(path)
        #expect(missing.code == .passwordNeeded)
        #expect(missing.message.contains("secret.pdf"))
        #expect(missing.advice?.contains("--password") == true)
        let wrong = try await failure(path, ["password": .text("guess")])
        #expect(wrong.code == .passwordNeeded)
        #expect(wrong.message != missing.message)
        #expect(!wrong.message.contains("guess"))
        for password in ["open", "sesame"] {
            let recording = try await FileImportBackendTests.record(
                path, ["password": .text(password)])
            #expect(recording.pages.count == 1)
        }
    }

    @Test(
        "A rotation that is no multiple of 90° is ignored, as by other readers",
        arguments: [45, 10, 361])
    func oddTurn(_ degrees: Int) async throws {
        var page = PDFFixture.Page(size: (200, 100), content: "0 0 20 100 re f")
        page.rotate = degrees
        let drawn = try #require(
            try await record([page], ["resolution": .integer(72)]).pages.first)
        #expect(drawn.description.width == 200 && drawn.description.height == 100)
    }

    @Test("A page's UserUnit and CropBox determine its size")
    func userUnit() async throws {
        var page = PDFFixture.Page(size: (200, 100), content: "1 0 0 rg 0 0 10 100 re f")
        page.more = "/UserUnit 2 /CropBox [10 0 154 72]"
        let drawn = try #require(
            try await record([page], ["resolution": .integer(72)]).pages.first)
        // 144 × 72 points twice; the red stripe is outside.
        #expect(drawn.description.width == 288)
        #expect(drawn.description.height == 144)
        #expect(drawn.bytes.allSatisfy { $0 == 0 })
    }

    @Test("A page that would be too large is drawn at a lower resolution, and reports it")
    func huge() async throws {
        let page = PDFFixture.Page(size: (14_400, 14_400), content: "0 0 7200 14400 re f")
        let scratch = try Scratch()
        let path = try scratch.file("a.pdf", PDFFixture.bytes([page]))
        let limits = ImportLimits(maximumPixels: 1_000_000)
        let drawn = try #require(
            try await FileImportBackendTests.record(
                path, limits: limits
            ).pages.first)
        #expect((980...1_000).contains(drawn.description.width))
        let resolution = try #require(drawn.description.resolution)
        // The page has 200 inches at any resolution.
        #expect(abs(Double(drawn.description.width) / resolution.x - 200) < 0.3)
        let problem = try #require(drawn.description.problems?.first)
        #expect(problem.contains("14400 × 14400 points"))
        #expect(problem.contains("instead of 300 dpi"))
    }

    @Test("A page that can't be drawn completely reports it")
    func brokenContent() async throws {
        let recording = try await record([
            .init(content: "1 0 0 rg 0 0 72 72 re f /Missing gs /Nothing Do"),
            .init(content: "1 0 0 rg 0 0 72 72 re f"),
        ])
        #expect(recording.pages.count == 2)
        #expect(recording.pages[0].description.problems?.first?.contains("not be drawn") == true)
        #expect(recording.pages[0].bytes.contains(0))
        #expect(recording.pages[1].description.problems == nil)
    }

    @Test("A page comes with its words and their places in pixels")
    func words() async throws {
        let content = """
            BT /F1 10 Tf 20 70 Td (Gr\\366\\337e 42) Tj 0 -12 Td (Ende) Tj ET \
            BT 3 Tr /F1 10 Tf 20 20 Td (unseen) Tj ET
            """
        let page = PDFFixture.Page(content: content)
        let recording = try await record([page, .init(content: "0 0 9 9 re f")])
        let text = try #require(recording.pages[0].text)
        #expect(text.words.map(\.text) == ["Größe", "42", "Ende", "unseen"])
        #expect(text.words.map(\.ends) == [nil, .line, .line, .block] || text.words[1].ends != nil)
        #expect(!text.isPartial)
        // 20 points from the left and 30 from the top at 300 dpi: 83 and 125 pixels, where the
        // letters' base line is.
        let first = try #require(text.words.first).box
        #expect(abs(first[0] - 83) <= 3)
        #expect(first[1] < 125 && first[1] + first[3] > 125)
        #expect(recording.pages[1].text == nil)
    }

    @Test("Words move with their page's turn")
    func turnedWords() async throws {
        let page = PDFFixture.Page(
            content: "BT /F1 10 Tf 20 70 Td (word) Tj ET", rotate: 90)
        let text = try #require(try await record([page]).pages.first?.text)
        // 70 points from the bottom are 70 from the left after a quarter turn clockwise, and 20
        // from the left 20 from the top.
        let box = try #require(text.words.first).box
        #expect(box[0] < 292 && box[0] + box[2] > 292)
        #expect(abs(box[1] - 83) <= 3)
    }

    @Test("A stamp is not the whole text of a scan, but a text layer is")
    func stampedScan() async throws {
        let picture = PDFFixture.raw(
            width: 216, height: 144, space: "DeviceGray",
            [UInt8](repeating: 255, count: 216 * 144))
        let letters = String(repeating: "words ", count: 20)
        for (words, isPartial) in [("Page 7", true), (letters, false)] {
            let page = PDFFixture.scan(
                picture, size: (216, 144), after: "BT 3 Tr /F1 2 Tf 9 40 Td (\(words)) Tj ET")
            let text = try #require(try await record([page]).pages.first?.text)
            #expect(text.isPartial == isPartial)
        }
    }

    @Test("Text of letters without a meaning is not kept")
    func unreadable() async throws {
        var page = PDFFixture.Page(content: "BT /F9 10 Tf 20 70 Td <0102030405> Tj ET")
        page.fonts = """
            /F9 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding \
            /Differences [1 /G1 /G2 /G3 /G4 /G5] >> >>
            """
        let drawn = try #require(try await record([page]).pages.first)
        #expect(drawn.text == nil)
    }

    @Test("A file with the name of a PDF and other contents is damaged")
    func damaged() async throws {
        let scratch = try Scratch()
        let whole = PDFFixture.bytes([.init(content: "")])
        for bytes in [
            Array("%PDF-1.7\n".utf8), Array(whole.prefix(60)), Array("%PDF-1.7\n1 0 obj <<<<".utf8),
        ] {
            let error = try await failure(scratch.file("a.pdf", bytes))
            #expect(error.code == .damagedData)
            #expect(error.message.contains("PDF"))
        }
    }
}
