import Detection
import Imaging
import Testing

@testable import Processing

@Suite struct CropTests {
    private let glass = (width: 860, height: 1180)

    private func crop(
        _ image: Raster, _ target: Profile.Target = .page, _ settings: [String: StepValue] = [:]
    ) throws -> StepOutcome {
        try CropStep(StepSettings(settings)).run(on: StepInput(image: image, target: target))
    }

    enum Lid: String, CaseIterable, Sendable {
        case black, white, dirty, gradient

        func level(_ x: Int, _ y: Int) -> Int {
            switch self {
            case .black: 22
            case .white: 232
            // Specks, and a hair on the glass.
            case .dirty:
                (x * 7919 + y * 104_729) % 997 < 4 || (x + y / 3) % 400 == 0 ? 180 : 45
            case .gradient: 20 + y / 60
            }
        }
    }

    @Test(
        "Paper on the glass is found whatever the lid, straight or tilted", arguments: Lid.allCases,
        [0.0, 2.0, -5.0])
    func paperOnGlass(_ lid: Lid, _ angle: Double) throws {
        // An A5 sheet at 100 dpi.
        let truth = TestPage.rectangle(x: 120, y: 150, width: 583, height: 827, clockwise: angle)
        let image = TestPage.picture(
            glass.width, glass.height, resolution: 100, page: try TestPage.letter(), at: truth,
            background: lid.level)
        let sheet = try #require(PaperFinder(image).sheet(resolution: 100))
        #expect(sheet.quad.intersectionOverUnion(truth) >= 0.98)
        let outcome = try crop(image)
        #expect(outcome.isChanged)
        for (index, corner) in truth.corners.enumerated() {
            let x = try #require(outcome.measurements["x\(index + 1)"])
            let y = try #require(outcome.measurements["y\(index + 1)"])
            #expect(Point(x: x, y: y).distance(to: corner) < 3)
        }
        #expect(outcome.summary.hasPrefix("cropped to A5 (148 × 210 mm)"), "\(outcome.summary)")
        #expect(outcome.summary.contains("turned by") == (angle != 0))
        #expect((outcome.image.width - 583).magnitude <= 4)
        #expect((outcome.image.height - 827).magnitude <= 4)
        #expect(outcome.image.resolution == 100)
    }

    @Test(
        "A sheet darker than the lid is found, to a pixel or two, where the lamp's light falls off across the glass",
        arguments: [0.84, 0.91])
    func fallingLight(_ paper: Double) throws {
        let truth = TestPage.rectangle(x: 290, y: 300, width: 410, height: 583, clockwise: 2)
        var image = TestPage.picture(
            glass.width, glass.height, resolution: 100, page: try TestPage.letter(), at: truth,
            background: { _, _ in 255 })
        // Toward a corner the light decreases by a fifth.
        let stride = image.stride
        let width = glass.width
        let height = glass.height
        image.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                    let (across, down) = (point.x / Double(width), point.y / Double(height))
                    let light = 1 - 0.12 * across - 0.08 * down
                    let level =
                        Double(bytes[y * stride + x]) * (truth.contains(point) ? paper : 0.98)
                    bytes[y * stride + x] = UInt8(level * light)
                }
            }
        }
        let sheet = try #require(PaperFinder(image).sheet(resolution: 100))
        #expect(sheet.quad.intersectionOverUnion(truth) >= 0.99)
    }

    @Test(
        "A desk with dark sides around a photographed page is not a lid whose sheet reaches the border"
    )
    func deskIsNoLid() throws {
        let truth = TestPage.rectangle(x: 180, y: 200, width: 500, height: 707, clockwise: 7)
        var random = SeededGenerator(seed: 5)
        let specks = (0..<4000).map { _ in Int.random(in: 0...90, using: &random) }
        let image = TestPage.picture(
            860, 1100, resolution: nil, page: try TestPage.letter(), at: truth,
            background: { x, y in
                (100..<1000).contains(y) ? 30 : 30 + specks[(y * 860 + x * 7) % 4000]
            })
        if let sheet = PaperFinder(image).sheet(resolution: nil) {
            #expect(sheet.quad.intersectionOverUnion(truth) >= 0.9)
        }
    }

    @Test("Straight paper keeps its pixels exactly")
    func exactPixels() throws {
        let truth = TestPage.rectangle(x: 0, y: 0, width: 583, height: 827)
        let image = TestPage.picture(
            glass.width, glass.height, resolution: 100, page: try TestPage.letter(), at: truth,
            background: Lid.black.level)
        let outcome = try crop(image)
        let result = outcome.image
        #expect(outcome.isChanged)
        let expected = image.cropped(
            to: PixelRect(x: 0, y: 0, width: result.width, height: result.height))
        #expect(result.pixels == expected.pixels)
        #expect((582...584).contains(result.width) && (826...828).contains(result.height))
    }

    @Test("A black-and-white scan with a black border is cut and stays black and white")
    func bilevel() throws {
        let truth = TestPage.rectangle(x: 60, y: 40, width: 700, height: 1000)
        let image = TestPage.picture(
            glass.width, glass.height, resolution: 100, page: try TestPage.letter(), at: truth,
            background: { _, _ in 0 }
        ).converted(to: .bilevel)
        let outcome = try crop(image)
        #expect(outcome.image.format == .bilevel)
        #expect((outcome.image.width - 700).magnitude <= 2)
        #expect((outcome.image.height - 1000).magnitude <= 2)
    }

    @Test(
        "A page that fills the picture keeps its pixels: text, frames and figures are not mistaken for paper"
    )
    func fullPages() throws {
        var framed = try TestPage.letter()
        draw(&framed, x: 90..<1150, y: 90..<1660, level: 0)
        draw(&framed, x: 96..<1144, y: 96..<1654, level: 255)
        var figured = try TestPage.letter()
        draw(&figured, x: 200..<1040, y: 300..<1100, level: 90)
        var banner = try TestPage.letter()
        draw(&banner, x: 100..<1140, y: 60..<420, level: 60)
        for page in [try TestPage.letter(), framed, figured, banner] {
            let outcome = try crop(page)
            #expect(outcome.summary == "unchanged: the paper fills the picture")
            #expect(outcome.image.pixels == page.pixels)
            // The same page without a resolution, as from a camera, is also searched for a
            // photographed page.
            var photograph = page
            photograph.resolution = nil
            let other = try crop(photograph)
            #expect(other.summary.hasPrefix("unchanged: no edge of paper found; taken to be A4"))
            #expect(other.image.pixels == page.pixels)
        }
    }

    @Test("A photographed A4 page gets the right shape and resolution")
    func perspective() throws {
        // Corners by a pinhole camera with a focal length of 1,000 pixels; the sheet is tilted back
        // by 25° and slightly rotated.
        let truth = Camera(width: 1200, height: 900, focal: 1000).sheet(
            width: 210, height: 297, tip: 25, distance: 480)
        let image = TestPage.picture(
            1200, 900, resolution: nil, page: try TestPage.letter(), at: truth,
            background: { x, y in 60 + (x / 40 + y / 40) % 2 * 6 })
        let outcome = try crop(image)
        #expect(
            outcome.summary.hasPrefix("flattened to A4 (210 × 297 mm) at"), "\(outcome.summary)")
        let aspect = Double(outcome.image.height) / Double(outcome.image.width)
        #expect((aspect - 297.0 / 210).magnitude < 0.005)
        let resolution = try #require(outcome.image.resolution)
        #expect((Double(outcome.image.height) / resolution * 25.4 - 297).magnitude < 0.5)
        // The letters are at their places on the sheet: the result is compared with the page
        // itself, reduced in the same way.
        let flat = outcome.image.resized(to: 124, 175).pixels
        let letter = try TestPage.letter().resized(to: 124, 175).pixels
        let difference = zip(flat, letter).reduce(0) { $0 + (Int($1.0) - Int($1.1)).magnitude }
        #expect(Double(difference) / Double(flat.count) < 8)
    }

    @Test(
        "A photograph with a shadow on a corner is flattened with any claimed resolution",
        arguments: [nil, 220.0])
    func shadowed(_ claimed: Double?) throws {
        let truth = Camera(width: 1200, height: 900, focal: 1000).sheet(
            width: 210, height: 297, tip: 25, distance: 480)
        var image = TestPage.picture(
            1200, 900, resolution: claimed, page: try TestPage.letter(), at: truth,
            background: { x, y in 60 + (x / 40 + y / 40) % 2 * 6 })
        let stride = image.stride
        image.withMutableBytes { bytes in
            for y in 0..<900 {
                for x in 0..<1200 {
                    // The shadow of an arm from the lower right, whose edge is 120 pixels wide.
                    let depth = min(1, max(0, Double(x + y - 1300) / 120))
                    let index = y * stride + x
                    bytes[index] = UInt8(Double(bytes[index]) * (1 - 0.35 * depth))
                }
            }
        }
        let outcome = try crop(image)
        #expect(
            outcome.summary.hasPrefix("flattened to A4 (210 × 297 mm) at"), "\(outcome.summary)")
        let flat = outcome.image
        let resolution = try #require(flat.resolution)
        #expect((Double(flat.height) / resolution * 25.4 - 297).magnitude < 0.5)
        // The tolerance is 1 % of the sheet's length in the picture.
        let found = try #require(try NetworkPageDetector().detect(in: image)).quad
        for (corner, expected) in zip(found.corners, truth.corners) {
            #expect(corner.distance(to: expected) < 0.01 * 600)
        }
    }

    @Test("The page's shape determines the resolution of a picture with unknown scale")
    func unknownScale() throws {
        var image = Raster(width: 2100, height: 2970, format: .gray8)
        image.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 250) }
        let outcome = try crop(image)
        #expect(!outcome.isChanged)
        #expect(
            outcome.summary
                == "unchanged: no edge of paper found; taken to be A4 (210 × 297 mm) at 254 dpi")
        #expect((try #require(outcome.image.resolution) - 254).magnitude < 0.01)
    }

    @Test("A region is cut by its fractions, and keeps its pixels")
    func region() throws {
        let page = try TestPage.letter()
        let region = Profile.Region(left: 0.25, top: 0.5, width: 0.5, height: 0.25)
        let outcome = try crop(page, .region(region))
        let expected = page.cropped(to: PixelRect(x: 310, y: 877, width: 620, height: 439))
        #expect(outcome.image.width == 620)
        #expect((437...440).contains(outcome.image.height))
        #expect(outcome.image.pixels.prefix(620 * 400) == expected.pixels.prefix(620 * 400))
        let whole = Profile.Region(left: 0, top: 0, width: 1, height: 1)
        #expect(try !crop(page, .region(whole)).isChanged)
        #expect(try !crop(page, .nothing).isChanged)
    }

    @Test(
        "A card before a camera keeps its shape, whatever card was expected",
        arguments: [
            (400, 252, "ID card"), (318, 454, "Trading card"), (400, 320, "85.6 mm long"),
        ])
    func seenCards(width: Int, height: Int, says: String) throws {
        let desk = Raster(width: 640, height: 480, format: .gray8)
        let place = Quad(width: width, height: height)
        let settings = StepSettings(["paper": .choice("trading-card")])
        let seen = try ItemsStep(settings).run(
            on: StepInput(image: desk, target: .card, corners: place))
        #expect(seen.isChanged)
        let shape = Double(seen.image.width) / Double(seen.image.height)
        #expect((shape / (Double(width) / Double(height)) - 1).magnitude < 0.04)
        #expect(seen.summary.contains(says), "\(seen.summary)")
    }

    @Test("A picture is not mistaken for a card of another shape")
    func otherShape() throws {
        let desk = Raster(width: 640, height: 360, format: .gray8)
        let left = try ItemsStep(StepSettings(["paper": .choice("trading-card")])).run(
            on: StepInput(image: desk, target: .card))
        #expect(!left.isChanged)
        #expect(!left.summary.contains("Trading card"), "\(left.summary)")
    }

    private func draw(_ page: inout Raster, x: Range<Int>, y: Range<Int>, level: UInt8) {
        let stride = page.stride
        page.withMutableBytes { bytes in
            for row in y {
                for column in x { bytes[row * stride + column] = level }
            }
        }
    }
}

@Suite struct PaperSizeTests {
    @Test(
        "A sheet is recognized by its sides within 2 %",
        arguments: [
            (210.0, 297.0, "a4"), (299, 212, "a4"), (216, 279, "letter"), (216, 356, "legal"),
            (148, 210, "a5"), (85.6, 54, "id1"), (297, 420, "a3"),
        ])
    func known(_ width: Double, _ height: Double, _ name: String) {
        #expect(PaperSize.matching(width: width, height: height)?.name == name)
    }

    @Test("Other sheets have no known size", arguments: [(210.0, 280.0), (80, 200), (217, 297)])
    func unknown(_ width: Double, _ height: Double) {
        #expect(PaperSize.matching(width: width, height: height) == nil)
    }

    @Test(
        "A photographed sheet's shape is measured within 2 %, in any orientation",
        arguments: [
            (297.0 / 210, Profile.Target.page, "a4"), (1.387, .page, "a4"), (1.384, .page, nil),
            (210.0 / 297, .page, "a4"), (279.4 / 215.9, .page, "letter"),
            // Executive differs by 2.4 % from A4.
            (266.7 / 184.15, .page, nil), (1.35, .page, nil),
            (85.6 / 53.98, .card, "id1"), (85.0 / 55, .card, "business-card"), (1.0, .card, nil),
        ] as [(Double, Profile.Target, String?)])
    func shaped(_ aspect: Double, _ target: Profile.Target, _ name: String?) {
        #expect(PaperSize.matching(aspect: aspect, of: target)?.name == name)
    }

    @Test(
        "An assumed resolution is reported",
        arguments: [
            (2480, 3508, Profile.Target.page, 300.0, "taken to be A4 (210 × 297 mm)"),
            (2200, 1700, .page, 200, "taken to be Letter (279.4 × 215.9 mm)"),
            (1011, 638, .card, 300, "taken to be ID card (85.6 × 54 mm)"),
            (800, 2000, .page, 254, "of unknown size, taken to be 80 mm wide"),
            (2970, 2970, .page, 254, "of unknown size, taken to be 297 mm long"),
        ])
    func assumed(
        _ width: Int, _ height: Int, _ target: Profile.Target, _ resolution: Double, _ says: String
    ) {
        let size = AssumedSize(width: width, height: height, target: target)
        #expect((size.resolution - resolution).magnitude < 0.5)
        #expect(size.summary == says)
    }
}

/// A pinhole camera that views a sheet.
private struct Camera {
    var width: Double
    var height: Double
    var focal: Double

    /// The corners of a sheet of `width` × `height` mm in the picture, if the sheet is tilted back
    /// by `tip` degrees.
    func sheet(width: Double, height: Double, tip: Double, distance: Double) -> Quad {
        let (sine, cosine) = TestPage.sinCos(tip)
        let (turnSine, turnCosine) = TestPage.sinCos(6)
        func corner(_ x: Double, _ y: Double) -> Point {
            let (u, v) = (x * width / 2, y * height / 2)
            let (a, b) = (turnCosine * u - turnSine * v, turnSine * u + turnCosine * v)
            let depth = distance - sine * b
            return Point(
                x: self.width / 2 + focal * a / depth,
                y: self.height / 2 + focal * cosine * b / depth)
        }
        return Quad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
            bottomLeft: corner(-1, 1))
    }
}
