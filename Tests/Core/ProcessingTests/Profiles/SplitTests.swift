import Imaging
import Testing

@testable import Processing

@Suite struct SplitTests {
    /// A glass of 200 × 250 mm at 100 dpi with colored rectangles on its lid.
    private func glass(_ items: [(Quad, [UInt8])], lid: UInt8 = 245) -> Raster {
        var random = SeededGenerator(seed: 3)
        let (width, height) = (787, 984)
        var picture = Raster(width: width, height: height, format: .rgb8, resolution: 100)
        picture.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                    let color = items.first { $0.0.contains(point) }?.1 ?? [lid, lid, lid]
                    for channel in 0..<3 {
                        let grain = Int(random.next() % 7) - 3
                        bytes[y * width * 3 + 3 * x + channel] = UInt8(
                            clamping: Int(color[channel]) + grain)
                    }
                }
            }
        }
        return picture
    }

    @Test(
        "Items on the glass become pages one by one, straight, in reading order",
        arguments: [245, 30] as [UInt8])
    func items(lid: UInt8) throws {
        let places = [
            (
                TestPage.rectangle(x: 450, y: 60, width: 240, height: 160, clockwise: -4),
                [90, 120, 170] as [UInt8]
            ),
            (TestPage.rectangle(x: 60, y: 70, width: 300, height: 200), [170, 60, 60]),
            (
                TestPage.rectangle(x: 200, y: 500, width: 260, height: 350, clockwise: 9),
                [80, 140, 70]
            ),
        ]
        let outcome = try ItemsStep(StepSettings()).run(
            on: StepInput(image: glass(places, lid: lid), target: .page))
        let pages = [outcome.image] + outcome.furtherPages.map(\.image)
        #expect(pages.count == 3)
        let wanted = [(300, 200, 170), (240, 160, 90), (260, 350, 80)]
        for (page, (width, height, red)) in zip(pages, wanted) {
            #expect((page.width - width).magnitude <= 4 && (page.height - height).magnitude <= 4)
            #expect(page.resolution == 100)
            // The page shows no lid except a fraction of a pixel at the rim.
            let inner = page.cropped(
                to: PixelRect(x: 4, y: 4, width: page.width - 8, height: page.height - 8))
            let isPure = inner.withBytes { bytes in
                (0..<inner.height).allSatisfy { y in
                    (0..<inner.width).allSatisfy { x in
                        (Int(bytes[y * inner.stride + 3 * x]) - red).magnitude <= 5
                    }
                }
            }
            #expect(isPure)
        }
    }

    @Test("An empty glass, a full one and any size stay unchanged")
    func nothing() throws {
        for image in [glass([]), glass([(Quad(width: 787, height: 984), [90, 90, 90])])] {
            let outcome = try ItemsStep(StepSettings()).run(
                on: StepInput(image: image, target: .page))
            #expect(!outcome.isChanged && outcome.furtherPages.isEmpty)
        }
        for (width, height) in [(1, 1), (1, 4000), (3000, 1), (40, 40)] {
            let image = Raster(width: width, height: height, format: .gray8, resolution: 300)
            let outcome = try ItemsStep(StepSettings()).run(
                on: StepInput(image: image, target: .page))
            #expect(outcome.furtherPages.isEmpty)
        }
    }

    @Test("Cards on a table under a camera become pages, in reading order")
    func table() throws {
        var picture = Raster(width: 1280, height: 960, format: .rgb8)
        let stride = picture.stride
        let tops: [(left: Int, top: Int)] = [(120, 90), (720, 100), (130, 540), (730, 530)]
        picture.withMutableBytes { bytes in
            for y in 0..<960 {
                for x in 0..<1280 {
                    let card = tops.firstIndex {
                        ($0.left..<$0.left + 430).contains(x) && ($0.top..<$0.top + 308).contains(y)
                    }
                    let isPrint =
                        card.map {
                            (30..<400).contains(x - tops[$0].left)
                                && (y - tops[$0].top) % 28 < 10 && (x * 7 + y * 3) % 11 < 6
                        } ?? false
                    let table = 70 + (x * 13 + y * 29) % 17
                    let level = card == nil ? table : isPrint ? 60 : 215 + (x + y) % 5
                    for c in 0..<3 {
                        bytes[y * stride + 3 * x + c] = UInt8(level - (card == nil ? 12 * c : 0))
                    }
                }
            }
        }
        let outcome = try ItemsStep(StepSettings()).run(
            on: StepInput(image: picture, target: .card))
        let pages = [outcome.image] + outcome.furtherPages.map(\.image)
        #expect(pages.count == 4)
        for page in pages {
            let aspect = Double(page.width) / Double(page.height)
            #expect((aspect / (430 / 308.0) - 1).magnitude < 0.05)
        }
        #expect(outcome.measurements["items"] == 4)
    }

    /// Two text pages side by side, with a shadow at the fold if requested.
    private func spread(shadow: Bool, left: Int = 700) throws -> Raster {
        let letter = try TestPage.letter().resized(to: 700, 990, filter: .area)
        var picture = Raster(width: left + 760, height: 990, format: .gray8, resolution: 85)
        let stride = picture.stride
        letter.withBytes { page in
            picture.withMutableBytes { bytes in
                for y in 0..<990 {
                    for x in 0..<left + 760 {
                        let source = x < left ? x : x - left
                        let level = source < 700 ? Int(page[y * letter.stride + source]) : 255
                        let distance = (x - left).magnitude
                        let light = shadow && distance < 40 ? 40 + Int(distance) * 60 / 40 : 100
                        bytes[y * stride + x] = UInt8(level * light / 100)
                    }
                }
            }
        }
        return picture
    }

    @Test(
        "Facing pages are split at the fold, with its shadow or without", arguments: [true, false])
    func facing(shadow: Bool) throws {
        let picture = try spread(shadow: shadow)
        let outcome = try FacingPagesStep(StepSettings()).run(on: StepInput(image: picture))
        let gutter = try #require(outcome.measurements["gutter"])
        #expect((gutter - 700).magnitude < (shadow ? 12 : 60))
        #expect(outcome.furtherPages.count == 1)
        #expect(outcome.image.width + outcome.furtherPages[0].image.width == picture.width)
        var unknown = picture
        unknown.resolution = nil
        let halves = try FacingPagesStep(StepSettings()).run(on: StepInput(image: unknown))
        // Half of an open book of unknown size; both halves are assumed to be of the same paper.
        let assumed = try #require(halves.image.resolution)
        #expect(halves.furtherPages[0].image.resolution == assumed)
        #expect(halves.measurements["resolution"] == assumed)
        let other = try FacingPagesStep(StepSettings(["order": .choice("right-first")]))
            .run(on: StepInput(image: picture))
        #expect(other.image.width == outcome.furtherPages[0].image.width)
    }

    @Test("A single page is not split")
    func single() throws {
        let letter = try TestPage.letter()
        let outcome = try FacingPagesStep(StepSettings()).run(on: StepInput(image: letter))
        #expect(!outcome.isChanged && outcome.furtherPages.isEmpty)
    }

    @Test("A card of another shape is not stretched to the named one")
    func cardShape() throws {
        let image = Raster(width: 1000, height: 1000, format: .gray8)
        let size = try #require(PaperSize.all.first { $0.name == "trading-card" })
        func plan(_ width: Double, _ height: Double) -> Flattening? {
            Flattening(
                photographed: TestPage.rectangle(x: 100, y: 100, width: width, height: height),
                in: image, target: .card, paper: size)
        }
        #expect(plan(630, 880) != nil)
        #expect(plan(650, 880) != nil)
        #expect(plan(540, 856) == nil)
        #expect(plan(800, 800) == nil)
    }
}
