import Documents
import Imaging
import Testing

@testable import Processing

/// Tests every step on pages that no scanner should send.
@Suite struct AnyPageTests {
    private let document = try! ProfileLibrary(folder: "/nonexistent").load("document")

    private func process(_ image: Raster, _ target: Profile.Target = .page) async throws
        -> ProcessedPage
    {
        var profile = document
        profile.looksFor = target
        return try await PagePipeline(profile: profile, recognizer: nil).onlyPage(
            PageInput(image: image, provenance: Provenance(device: "fake:1")))
    }

    private func filled(
        _ width: Int, _ height: Int, _ format: PixelFormat, _ byte: UInt8, _ resolution: Double?
    ) -> Raster {
        var image = Raster(width: width, height: height, format: format, resolution: resolution)
        image.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: byte) }
        return image
    }

    struct Sheet: CustomTestStringConvertible, Sendable {
        var width: Int
        var height: Int
        var resolution: Double?
        var testDescription: String { "\(width)×\(height) at \(resolution ?? 0)" }
    }

    @Test(
        "Black and white sheets of every form and size come out with a report of each step",
        arguments: [
            Sheet(width: 1, height: 1, resolution: 300), Sheet(width: 1, height: 700),
            Sheet(width: 900, height: 1, resolution: 300), Sheet(width: 3, height: 900),
            Sheet(width: 110, height: 160), Sheet(width: 110, height: 160, resolution: 0.001),
            Sheet(width: 110, height: 160, resolution: .nan),
            Sheet(width: 110, height: 160, resolution: 1e300),
            Sheet(width: 110, height: 160, resolution: -5),
            Sheet(width: 20_000, height: 2, resolution: 1200),
        ], PixelFormat.allCases)
    func blank(_ sheet: Sheet, _ format: PixelFormat) async throws {
        for byte in [0, 0x80, 255] as [UInt8] {
            for target in [Profile.Target.page, .card] {
                let page = try await process(
                    filled(sheet.width, sheet.height, format, byte, sheet.resolution), target)
                #expect(page.problems.isEmpty)
                #expect(page.steps.map(\.name) == document.steps.map(\.name))
                #expect(page.steps.allSatisfy { !$0.summary.isEmpty })
                #expect(page.image.width == sheet.width && page.image.height == sheet.height)
                let isBilevel = page.image.format == .bilevel
                #expect(isBilevel == (format == .bilevel))
                if isBilevel { #expect(!page.isChanged) }
            }
        }
    }

    @Test("Pictures of noise and of random rectangles never stop the pipeline")
    func noise() async throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<12 {
            let width = Int.random(in: 1...200, using: &random)
            let height = Int.random(in: 1...200, using: &random)
            let format = PixelFormat.allCases.randomElement(using: &random)!
            var image = filled(
                width, height, format, UInt8.random(in: 0...255, using: &random), nil)
            let isNoise = Bool.random(using: &random)
            image.withMutableBytes { bytes in
                if isNoise {
                    for index in bytes.indices {
                        bytes[index] = UInt8(truncatingIfNeeded: random.next())
                    }
                } else {
                    let start = Int.random(in: 0..<bytes.count, using: &random)
                    for index in start..<bytes.count { bytes[index] = 200 }
                }
            }
            let page = try await process(image)
            #expect(page.problems.isEmpty)
            #expect(page.image.width > 0 && page.image.height > 0)
        }
    }

    @Test("Steps do not change the pixels of their input picture", arguments: PixelFormat.allCases)
    func pure(_ format: PixelFormat) async throws {
        let quad = TestPage.rectangle(x: 60, y: 70, width: 420, height: 594, clockwise: 3)
        let image = TestPage.picture(
            560, 760, resolution: nil, page: try TestPage.letter(), at: quad,
            background: { _, _ in 30 }
        ).converted(to: format)
        let before = image.pixels
        let first = try await process(image)
        #expect(image.pixels == before)
        #expect(first.isChanged)
        let second = try await process(image)
        #expect(second.image.pixels == first.image.pixels)
        #expect(second.steps.map(\.summary) == first.steps.map(\.summary))
    }

    @Test("The profile 'none' changes nothing and reports nothing")
    func none() async throws {
        let none = try ProfileLibrary(folder: "/nonexistent").load("none")
        let image = try TestPage.letter()
        let page = try await PagePipeline(profile: none, recognizer: FakeRecognizer()).onlyPage(
            PageInput(image: image, provenance: Provenance(device: "fake:1")))
        #expect(!page.isChanged && page.steps.isEmpty && page.text == nil)
        #expect(page.image.pixels == image.pixels && page.image.resolution == 150)
    }

    @Test("A page upside down, tilted and shaded comes out upright, straight and white")
    func whole() async throws {
        let letter = try TestPage.letter()
        let quad = TestPage.rectangle(x: 40, y: 50, width: 827, height: 1169, clockwise: 1.5)
        let image = TestPage.picture(
            920, 1290, resolution: 100, page: letter.rotated(by: .half), at: quad,
            background: { _, _ in 30 })
        let page = try await process(image)
        #expect(page.problems.isEmpty)
        #expect(page.steps[0].summary == "cropped to A4 (210 × 297 mm), turned by 1.5°")
        #expect(page.steps[1].summary == "turned by 180°")
        let flat = page.image.resized(to: 124, 175).pixels
        let expected = letter.resized(to: 124, 175).pixels
        let difference = zip(flat, expected).reduce(0) { $0 + (Int($1.0) - Int($1.1)).magnitude }
        #expect(Double(difference) / Double(flat.count) < 12)
    }
}
