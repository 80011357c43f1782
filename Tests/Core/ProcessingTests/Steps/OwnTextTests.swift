import Documents
import Imaging
import Testing

@testable import Processing

/// Tests existing text of a page: it is kept, read again or dropped, and moves with the page's
/// pixels.
@Suite struct OwnTextTests {
    /// A text with one word on each line.
    private static func text(_ words: [(String, Box)]) -> PageText {
        let lines = words.map { word, box in
            TextLine(words: [Word(text: word, box: box, confidence: 1)], box: box)
        }
        let whole = Box(around: words.map(\.1)) ?? Box(x: 0, y: 0, width: 1, height: 1)
        return PageText(
            blocks: [
                TextBlock(paragraphs: [Paragraph(lines: lines, box: whole)], box: whole)
            ], languages: [])
    }

    private static let own = text([("Größe", Box(x: 10, y: 20, width: 30, height: 8))])

    private func page(
        _ step: FakeStep? = nil, _ existing: Profile.ExistingText = .keep, reads: Bool = true,
        isPartial: Bool = false,
        read: [(String, Box)] = [("read", Box(x: 10, y: 60, width: 20, height: 8))],
        steps: [String] = []
    ) async throws -> (ProcessedPage, reader: FakeRecognizer) {
        let reader = FakeRecognizer { _, _ in Self.text(read) }
        var profile = Profile(
            name: "test", title: "Test", text: reads ? .init(languages: ["eng"]) : nil)
        profile.existingText = existing
        profile.steps = steps.map { Profile.Step($0) }
        var image = Raster(width: 100, height: 80, format: .gray8, resolution: 300)
        image.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 255) }
        let input = PageInput(
            image: image, provenance: Provenance(device: "fake:1"), text: Self.own,
            isTextPartial: isPartial)
        let pipeline =
            step.map {
                PagePipeline(
                    profile: profile, steps: [$0], recognizer: reader,
                    threads: StepThreads(limit: 1))
            } ?? PagePipeline(profile: profile, recognizer: reader)
        return (try await pipeline.onlyPage(input), reader)
    }

    private func words(_ page: ProcessedPage) -> [String]? { page.text?.words.map(\.text) }

    @Test("A page with its own text is not read, with or without reading in the profile")
    func kept() async throws {
        for reads in [true, false] {
            let (page, reader) = try await page(reads: reads)
            #expect(page.text == Self.own)
            #expect(reader.calls == 0)
            #expect(page.steps.map(\.name) == ["text"])
            #expect(page.steps.last?.summary == "kept the page's own 1 word")
            #expect(!page.isChanged)
        }
    }

    @Test(
        "If the text may be incomplete, the rest is read, and existing words are not doubled"
    )
    func partial() async throws {
        let (page, reader) = try await page(
            isPartial: true,
            read: [
                ("Grobe", Box(x: 11, y: 21, width: 28, height: 8)),
                ("more", Box(x: 10, y: 60, width: 20, height: 8)),
            ])
        #expect(reader.calls == 1)
        #expect(words(page) == ["Größe", "more"])
    }

    @Test("A page with its own text is read again on request; without a result, the text stays")
    func redone() async throws {
        #expect(words(try await page(nil, .redo).0) == ["read"])
        let (unread, _) = try await page(nil, .redo, reads: false)
        #expect(words(unread) == ["Größe"])
    }

    @Test("A page's own text is dropped on request, and the page is not read")
    func dropped() async throws {
        for reads in [true, false] {
            let (page, reader) = try await page(nil, .drop, reads: reads)
            #expect(page.text == nil)
            #expect(reader.calls == 0)
        }
    }

    @Test(
        "Quarter turns move the words of a page's own text too",
        arguments: [
            // The word is 10 pixels from the left, 60 from the right, 20 from the top and 52 from
            // the bottom.
            (QuarterTurn.clockwise90, Box(x: 52, y: 10, width: 8, height: 30)),
            (.half, Box(x: 60, y: 52, width: 30, height: 8)),
            (.counterclockwise90, Box(x: 20, y: 60, width: 8, height: 30)),
        ])
    func turned(turn: QuarterTurn, place: Box) async throws {
        let step = FakeStep {
            .changed($0.image.rotated(by: turn), "turned", moved: .turned($0.image, by: turn))
        }
        let (page, _) = try await page(step)
        #expect(page.text?.words.map(\.box) == [place])
    }

    @Test("A cut moves the words of a page's own text, and leaves out those outside")
    func cut() async throws {
        for (part, place) in [
            (PixelRect(x: 5, y: 10, width: 60, height: 50), Box(x: 5, y: 10, width: 30, height: 8)),
            (PixelRect(x: 50, y: 0, width: 50, height: 80), nil),
        ] {
            let step = FakeStep {
                .changed($0.image.cropped(to: part), "cut", moved: .cut(to: part))
            }
            let (page, reader) = try await page(step)
            #expect(page.text?.words.first?.box == (place ?? page.text?.words.first?.box))
            // A page without a word left is read.
            #expect(reader.calls == (place == nil ? 1 : 0))
        }
    }

    @Test("A small turn moves words exactly like pixels", arguments: [-3.0, 2.0])
    func straightened(degrees: Double) async throws {
        // A black mark is at the place of the word; afterward it is in the word's box.
        var image = Raster(width: 400, height: 300, format: .gray8, resolution: 300)
        image.withMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt8.self, repeating: 255)
            for y in 20..<28 { for x in 330..<360 { bytes[y * 400 + x] = 0 } }
        }
        let turned = image.rotated(byDegrees: degrees)
        guard case .by(let map) = PixelMovement.turned(image, byDegrees: degrees) else {
            Issue.record("no map")
            return
        }
        let text = Self.text([("mark", Box(x: 330, y: 20, width: 30, height: 8))])
        let box = try #require(text.moved(by: map, width: 400, height: 300)?.words.first?.box)
        var dark = (left: 400, top: 300, right: 0, bottom: 0)
        turned.withBytes { bytes in
            for y in 0..<300 {
                for x in 0..<400 where bytes[y * turned.stride + x] < 128 {
                    dark = (
                        min(dark.left, x), min(dark.top, y), max(dark.right, x + 1),
                        max(dark.bottom, y + 1)
                    )
                }
            }
        }
        #expect(abs(box.x - dark.left) <= 1 && abs(box.y - dark.top) <= 1)
        #expect(abs(box.x + box.width - dark.right) <= 1)
        #expect(abs(box.y + box.height - dark.bottom) <= 1)
    }

    @Test("If the movement of the pixels is unknown, the text is left out, reported, and read")
    func unknown() async throws {
        let step = FakeStep { .changed($0.image, "bent", moved: .unknown) }
        let (page, reader) = try await page(step)
        #expect(words(page) == ["read"])
        #expect(reader.calls == 1)
        #expect(page.problems.contains { $0.contains("own text was left out") })
    }

    @Test("A profile determines what happens to existing text, and the command line changes it")
    func profiles() throws {
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        let profile = reader.read(
            "{ title: \"T\", text: \"off\", existingText: \"drop\" }", name: "t")
        #expect(reader.problems.isEmpty)
        #expect(profile.existingText == .drop)
        #expect(try profile.overriding(["text.existing=redo"]).existingText == .redo)
        #expect(try profile.overriding(["text.existing=redo"]).text == nil)
        #expect(throws: ProfileError.self) { try profile.overriding(["text.existing=maybe"]) }
        _ = reader.read("{ title: \"T\", existingText: \"dorp\" }", name: "t")
        #expect(reader.problems.map(\.place) == ["existingText"])
        #expect(reader.problems.first?.suggestions == ["drop"])
    }
}
