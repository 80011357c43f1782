import Documents
import FoundationEssentials
import Imaging
import Recognition
import Synchronization
import Testing

@testable import Processing

/// A recognizer that returns the given words for each layout.
private final class LayoutRecognizer: TextRecognizer {
    private let texts: [TextLayout: PageText]
    private let sizes = Mutex<[(TextLayout, Int, Int)]>([])

    init(_ texts: [TextLayout: PageText]) { self.texts = texts }

    /// The sizes of the pictures that were read with each layout.
    func sizes(_ layout: TextLayout) -> [[Int]] {
        sizes.withLock { $0.filter { $0.0 == layout }.map { [$0.1, $0.2] } }
    }

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        try await recognize(image, languages: languages, layout: .any)
    }

    func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        sizes.withLock { $0.append((layout, image.width, image.height)) }
        return texts[layout] ?? PageText(blocks: [], languages: languages)
    }
}

private func text(_ lines: [(String, Box)]) -> PageText {
    let set = lines.map { line, box in
        TextLine(words: [Word(text: line, box: box, confidence: 0.9)], box: box)
    }
    let all = Box(x: 0, y: 0, width: 1000, height: 1000)
    return PageText(
        blocks: [TextBlock(paragraphs: [Paragraph(lines: set, box: all)], box: all)],
        languages: ["eng"])
}

private func process(
    _ steps: [Profile.Step], _ image: Raster, _ recognizer: any TextRecognizer
) async throws -> ProcessedPage {
    let profile = Profile(name: "test", title: "", steps: steps, text: .init(languages: ["eng"]))
    return try await PagePipeline(profile: profile, recognizer: recognizer)
        .onlyPage(PageInput(image: image, provenance: Provenance(device: "test")))
}

@Suite struct ExtractorTests {
    private let label = Raster(width: 800, height: 160, format: .gray8)

    @Test("A serial number is found if readings agree, with its place in pixels of the page")
    func serial() async throws {
        let box = Box(x: 100, y: 40, width: 240, height: 40)
        let recognizer = LayoutRecognizer([
            .any: text([("IMEI:490154203237518", box)]),
            .block: text([("IMEI:490154203237518", box)]),
        ])
        let page = try await process([Profile.Step("serial")], label, recognizer)
        let found = try #require(page.steps.last?.found.first)
        #expect(found.kind == .serial && found.format == "imei" && found.text == "490154203237518")
        // The number alone was read again in several sizes, and so was the whole label.
        #expect(recognizer.sizes(.code).count >= 3)
        #expect(recognizer.sizes(.block).contains([800, 160]))
        #expect(page.steps.map(\.name) == ["text", "serial"])
    }

    @Test("A missing serial number is reported, and the page is kept")
    func noSerial() async throws {
        let page = try await process([Profile.Step("serial")], label, LayoutRecognizer([:]))
        #expect(page.steps.last?.summary == "no serial number found")
        #expect(page.steps.last?.found.isEmpty ?? false)
        #expect(page.problems.isEmpty && page.image.bounds == label.bounds)
    }

    @Test("An invalid pattern is a problem of the page, with its place")
    func wrongPattern() async throws {
        let settings = StepSettings(["pattern": .choice("[A")])
        let page = try await process(
            [Profile.Step("serial", settings: settings)], label, LayoutRecognizer([:]))
        #expect(page.problems.first?.contains("character 3") ?? false)
    }

    @Test("A receipt's fields are findings of its page")
    func receipt() async throws {
        let lines = [
            ("CORNER SHOP", Box(x: 100, y: 20, width: 300, height: 40)),
            ("2026-11-22", Box(x: 100, y: 100, width: 200, height: 24)),
            ("TOTAL", Box(x: 100, y: 200, width: 100, height: 24)),
            ("12.50", Box(x: 500, y: 200, width: 100, height: 24)),
        ]
        let page = try await process(
            [Profile.Step("receipt")], label, LayoutRecognizer([.any: text(lines)]))
        #expect(page.steps.last?.found.map(\.text) == ["CORNER SHOP", "2026-11-22", "12.50"])
        #expect(page.steps.last?.found.last?.box == lines[3].1)
    }

    @Test(
        "A column is read again as one block, margins included, and its words replace those read before"
    )
    func columns() async throws {
        let first = (0..<5).map { ("words", Box(x: 300, y: 100 + 40 * $0, width: 200, height: 24)) }
        let again = (0..<5).map {
            ("\($0 + 1). words", Box(x: 200, y: 20 + 40 * $0, width: 300, height: 24))
        }
        let recognizer = LayoutRecognizer([.any: text(first), .block: text(again)])
        let image = Raster(width: 800, height: 1000, format: .gray8)
        let page = try await process([Profile.Step("entries")], image, recognizer)
        #expect(page.text?.words.map(\.text) == again.map(\.0))
        let size = try #require(recognizer.sizes(.block).first)
        #expect(size[0] == 800)
        // The words are moved by the start of the column, which is half a letter above its first
        // line.
        let top = try #require(page.text?.words.first?.box.y)
        #expect((100...120).contains(top))
    }

    @Test("Steps that need text come last in a profile, and require text")
    func contradictions() {
        let early = ProfileLibrary.check(
            Data(#"{ looksFor: "page", steps: ["serial", "deskew"], text: {} }"#.utf8))
        #expect(early.contains { $0.reason.contains("put it last") })
        let dumb = ProfileLibrary.check(Data(#"{ steps: ["serial"], text: "off" }"#.utf8))
        #expect(dumb.contains { $0.reason.contains("needs the page's text") })
    }

    @Test("A step that needs text and is added for one run makes the text be read")
    func override() throws {
        let profile = try Profile(name: "bare", title: "").overriding(["serial.pattern=[A-Z]{2}9"])
        #expect(profile.text?.languages == ["eng"])
        #expect(profile.steps.first?.settings.values["pattern"] == .choice("[A-Z]{2}9"))
        #expect(throws: ProfileError.self) {
            try Profile(name: "bare", title: "").overriding([
                "serial.pattern=" + String(repeating: "A", count: 201)
            ])
        }
    }
}

@Suite struct LabelStepTests {
    /// A picture with rows of dark dashes in its middle, in place of letters.
    private func picture(lean: Double = 0, isDark: Bool = true) -> Raster {
        var image = Raster(width: 1200, height: 900, format: .gray8)
        let stride = image.stride
        image.withMutableBytes { bytes in
            for y in 0..<900 {
                for x in 0..<1200 {
                    let line = Double(y) - 450 - (Double(x) - 600) * lean * .pi / 180
                    let isLetter =
                        (-30 ... -6).contains(line) || (6...30).contains(line)
                    let isStroke = isLetter && x > 200 && x < 1000 && x % 14 < 6
                    // The ground is brighter to the right.
                    let ground = 90 + x / 20
                    bytes[y * stride + x] = UInt8(isStroke ? ground + (isDark ? -40 : 40) : ground)
                }
            }
        }
        return image
    }

    private func run(_ image: Raster, _ device: String) throws -> StepOutcome {
        try LabelStep(StepSettings(["device": .choice(device)])).run(on: StepInput(image: image))
    }

    @Test(
        "Each device's label is cut out in its shape, with room for tilted lines",
        arguments: [
            ("macbook", 8.0), ("imac", 8), ("mac-mini", 8), ("iphone", 5), ("ipad", 5),
            ("watch", 4), ("accessory", 4),
        ])
    func shapes(_ device: String, _ ratio: Double) throws {
        let outcome = try run(picture(), device)
        #expect(outcome.image.width == 1080)
        #expect(
            (Double(outcome.image.width) / Double(outcome.image.height) * 1.4 - ratio).magnitude
                < 0.1)
    }

    @Test(
        "Letters become dark on white, whether they were darker or brighter than the ground",
        arguments: [true, false])
    func polarity(_ isDark: Bool) throws {
        let part = try run(picture(isDark: isDark), "iphone").image
        var (dark, light) = (0, 0)
        part.withBytes { bytes in
            for value in bytes {
                if value < 80 { dark += 1 } else if value > 200 { light += 1 }
            }
        }
        #expect(dark > part.width * part.height / 40)
        #expect(light > 2 * dark)
    }

    @Test("Tilted lines are straightened to within half a degree", arguments: [-5.0, -2, 3, 6])
    func lean(_ degrees: Double) throws {
        let measured = try #require(try run(picture(lean: degrees), "iphone").measurements["lean"])
        #expect((measured - degrees).magnitude <= 0.5)
    }

    @Test("Pictures with one pixel or without letters are processed safely")
    func tiny() throws {
        for image in [
            Raster(width: 1, height: 1, format: .gray8),
            Raster(width: 500, height: 90, format: .rgb8),
        ] {
            for device in ["own", "macbook"] { _ = try run(image, device) }
        }
    }
}
