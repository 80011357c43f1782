import Imaging
import Testing

@testable import Processing

@Suite struct LidAtSomeSidesTests {
    private static let glass = (width: 860, height: 1180)

    private func crop(_ image: Raster) throws -> StepOutcome {
        try CropStep(StepSettings([:])).run(on: StepInput(image: image, target: .page))
    }

    /// A sheet that leaves the lid visible at the named sides, and reaches beyond the picture at
    /// the other sides.
    struct Sheet: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var truth: Quad
        var lid = CropTests.Lid.black

        init(
            _ lid: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
            _ angle: Double
        ) {
            testDescription = "lid at \(lid), \(angle)°"
            truth = TestPage.rectangle(x: x, y: y, width: width, height: height, clockwise: angle)
        }
    }

    static let sheets = [
        // Letter paper on a longer glass, at 100 dpi.
        Sheet("the bottom", 0, 0, 860, 1100, 0),
        Sheet("the bottom", -60, -60, 980, 1190, 1),
        Sheet("the top", -60, 40, 980, 1300, -1),
        Sheet("the right", -200, -60, 1030, 1300, 1),
        Sheet("right and bottom", 0, 0, 583, 827, 0),
        Sheet("right and bottom", -60, -60, 800, 1100, 2),
        Sheet("left and top", 50, 70, 1000, 1300, -3),
        Sheet("left and right", 30, -60, 800, 1300, 1),
        Sheet("left, top and right", 60, 50, 740, 1300, -1.5),
        Sheet("left, top and bottom", 100, 80, 900, 1000, 0),
    ]

    /// Each sheet with one of the four kinds of lid, which are used in turn.
    static let sheetsUnderLids: [Sheet] = sheets.indices.map { index in
        var sheet = sheets[index]
        sheet.lid = CropTests.Lid.allCases[index % 4]
        sheet.testDescription += ", \(sheet.lid)"
        return sheet
    }

    @Test(
        "Lid at one to three sides is removed at any level, and no dark rest stays",
        arguments: sheetsUnderLids)
    func cut(_ sheet: Sheet) throws {
        let lid = sheet.lid
        let image = TestPage.picture(
            Self.glass.width, Self.glass.height, resolution: 100, page: try TestPage.letter(),
            at: sheet.truth, background: lid.level)
        let found = try #require(PaperFinder(image).sheet(resolution: 100))
        #expect(overlap(found.quad, sheet.truth) >= 0.98)
        let outcome = try crop(image)
        #expect(outcome.summary.hasPrefix("cropped to"), "\(outcome.summary)")
        #expect(outcome.image.resolution == 100)
        if lid != .white { #expect(darkShareOfBorder(outcome.image) < 0.02) }
    }

    @Test("A gray lid is found despite uneven light and the sheet's shadow")
    func shaded() throws {
        // The sheet's upper right corner leaves the picture.
        let truth = TestPage.rectangle(x: 16, y: 30, width: 836, height: 1120, clockwise: -1.1)
        var image = TestPage.picture(
            Self.glass.width, Self.glass.height, resolution: 100, page: try TestPage.letter(),
            at: truth
        ) { x, y in
            let edge =
                truth.bottomLeft.y + (truth.bottomRight.y - truth.bottomLeft.y) * Double(x) / 860
            let below = Double(y) - edge
            return below > -2 && below < 5 ? 150 : 206
        }
        shade(&image) { x, y in 1 - 0.12 * Double(x) / 860 - 0.05 * Double(y) / 1180 }
        let found = try #require(PaperFinder(image).sheet(resolution: 100))
        #expect(overlap(found.quad, truth) >= 0.98)
        let before = image.pixels
        let (once, again) = (try crop(image), try crop(image))
        #expect(once.summary.contains("turned by 1.1°"))
        let isPure = once.image.pixels == again.image.pixels && image.pixels == before
        #expect(isPure)
    }

    /// Full A4 pages with dark parts at the border or close to it.
    enum FullPage: String, CaseIterable, Sendable {
        case header, letteredHeader, headerAndFooter, frame, thickFrame, sideBar, fold, edgeBand

        func draw(_ page: inout Raster) {
            let (width, height) = (page.width, page.height)
            func bar(_ x: Range<Int>, _ y: Range<Int>, _ level: UInt8) {
                let stride = page.stride
                page.withMutableBytes { bytes in
                    for row in y { for column in x { bytes[row * stride + column] = level } }
                }
            }
            func frame(_ inset: Int, _ thickness: Int) {
                for (a, b) in [(inset, inset + thickness), (-inset - thickness, -inset)] {
                    let (x, y) = (a < 0 ? width : 0, a < 0 ? height : 0)
                    bar(x + a..<x + b, inset..<height - inset, 10)
                    bar(inset..<width - inset, y + a..<y + b, 10)
                }
            }
            switch self {
            case .header: bar(0..<width, 0..<130, 60)
            case .letteredHeader:
                bar(0..<width, 0..<130, 60)
                for letter in 0..<12 { bar(200 + 40 * letter..<225 + 40 * letter, 40..<80, 250) }
            case .headerAndFooter:
                bar(0..<width, 0..<100, 90)
                bar(0..<width, height - 60..<height, 90)
            case .frame: frame(8, 3)
            case .thickFrame: frame(10, 16)
            case .sideBar: bar(0..<70, 0..<height, 120)
            case .fold: break
            case .edgeBand: bar(0..<6, 0..<height, 182)
            }
        }
    }

    @Test(
        "Bars, frames and a fold's shadow on a full page are contents",
        arguments: FullPage.allCases)
    func content(_ kind: FullPage) throws {
        var page = try TestPage.letter()
        kind.draw(&page)
        if kind == .fold {
            // The page darkens toward the fold over 12 mm, without an edge.
            shade(&page) { x, _ in x < 70 ? 0.45 + 0.55 * Double(x) / 70 : 1 }
        }
        let outcome = try crop(page)
        let isChanged = outcome.isChanged
        #expect(!isChanged, "\(outcome.summary)")
        let isSame = outcome.image.pixels == page.pixels
        #expect(isSame)
    }

    @Test("Only a picture that is full of paper counts as a whole page")
    func summaries() throws {
        let page = try TestPage.letter()
        #expect(try crop(page).summary == "unchanged: the paper fills the picture")
        var header = page
        FullPage.headerAndFooter.draw(&header)
        shade(&header) { x, _ in x < 70 || x > 1170 ? 0.5 : 1 }
        #expect(try !crop(header).summary.contains("fills the picture"))
        var dark = page
        shade(&dark) { x, y in
            1 - 0.9
                * min(
                    1,
                    ((Double(x) - 620) * (Double(x) - 620) + (Double(y) - 877) * (Double(y) - 877))
                        / 600_000)
        }
        #expect(try crop(dark).summary == "unchanged: no edge of paper found")
    }

    // MARK: Measures

    /// Intersection over union of two quads' parts within the picture.
    private func overlap(_ a: Quad, _ b: Quad) -> Double {
        let (a, b) = (a.corners, b.corners)
        var both = 0
        var any = 0
        for y in stride(from: 1.5, to: Double(Self.glass.height), by: 3) {
            let (one, other) = (span(of: a, at: y), span(of: b, at: y))
            let width = Double(Self.glass.width)
            func pixels(_ from: Double, _ to: Double) -> Int {
                max(0, Int((min(width, to) - max(0, from)).rounded()))
            }
            both += pixels(max(one.from, other.from), min(one.to, other.to))
            any += pixels(one.from, one.to) + pixels(other.from, other.to)
        }
        return Double(both) / Double(max(1, any - both))
    }

    /// The columns of a row that are within a convex polygon.
    private func span(of corners: [Point], at y: Double) -> (from: Double, to: Double) {
        var crossings: [Double] = []
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            guard (a.y <= y) != (b.y <= y) else { continue }
            crossings.append(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
        }
        return (crossings.min() ?? 0, crossings.max() ?? 0)
    }

    /// The fraction of the places three pixels from the border that are darker than shaded paper.
    private func darkShareOfBorder(_ image: Raster) -> Double {
        let map = LevelMap(image.converted(to: .gray8))
        var levels: [Int] = []
        for x in 3..<map.width - 3 { levels += [map[x, 3], map[x, map.height - 4]] }
        for y in 3..<map.height - 3 { levels += [map[3, y], map[map.width - 4, y]] }
        return Double(levels.count { $0 < 100 }) / Double(levels.count)
    }

    private func shade(_ image: inout Raster, by share: (Int, Int) -> Double) {
        let (width, height, stride) = (image.width, image.height, image.stride)
        image.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let index = y * stride + x
                    bytes[index] = UInt8(max(0, min(255, Double(bytes[index]) * share(x, y))))
                }
            }
        }
    }
}
