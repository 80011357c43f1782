import Testing

@testable import Detection
@testable import Imaging

@Suite struct LaidSheetTests {
    private static let below = TestPile.Sheet(quad: TestPile.large, print: 1)
    private static let top = TestPile.Sheet(quad: TestPile.small, print: 2)

    private func found(_ before: TestPile, _ now: TestPile) -> LaidSheet? {
        PicturePair(before: before.picture(), now: now.picture()).flatMap {
            LaidSheet(PictureChange($0))
        }
    }

    private func off(_ quad: Quad, _ truth: Quad) -> Double {
        zip(quad.turned(toward: truth).corners, truth.corners).map { $0.distance(to: $1) }.max()
            ?? .infinity
    }

    @Test(
        "A sheet put on a larger one of the same white is found",
        arguments: [1, 0.8, 1.15])
    func laid(exposure: Double) throws {
        let sheet = try #require(
            found(
                TestPile([Self.below]),
                TestPile([Self.below, Self.top], exposure: exposure, seed: 2)))
        #expect(off(sheet.quad, TestPile.small) < 3)
        #expect(sheet.sides.count { $0 == .new } >= 3)
    }

    @Test("A sheet on the bare table is found")
    func first() throws {
        let sheet = try #require(found(TestPile([]), TestPile([Self.below], seed: 2)))
        #expect(off(sheet.quad, TestPile.large) < 3)
    }

    @Test("A removed sheet is no new sheet")
    func taken() {
        #expect(found(TestPile([Self.below, Self.top]), TestPile([Self.below], seed: 2)) == nil)
    }

    @Test("A pushed sheet is not a new one", arguments: [(9.0, 0.0), (0, -9), (12, 10)])
    func pushed(x: Double, y: Double) {
        let pushed = TestPile.Sheet(quad: TestPile.small.moved(x, y), print: 2)
        #expect(
            found(TestPile([Self.below, Self.top]), TestPile([Self.below, pushed], seed: 2)) == nil)
    }

    @Test("If only grain and light change, there is no new sheet", arguments: [1, 0.85])
    func nothing(exposure: Double) {
        let same = [Self.below, Self.top]
        #expect(found(TestPile(same), TestPile(same, exposure: exposure, seed: 2)) == nil)
    }

    @Test("Two new sheets at once give no result")
    func two() {
        let other = TestPile.Sheet(quad: TestPile.small.moved(-190, 60), print: 3)
        #expect(
            found(TestPile([Self.below]), TestPile([Self.below, other, Self.top], seed: 2)) == nil)
    }

    @Test("Pictures of different sizes give no result")
    func sizes() {
        let (before, now) = (TestPile([]).picture(), TestPile([Self.below]).picture())
        #expect(
            PicturePair(before: before.resized(to: 320, 240, filter: .area), now: now) == nil)
    }

    @Test("Sides are new, old, or none")
    func sides() throws {
        let before = TestPile([Self.below]).picture()
        let now = TestPile([Self.below, Self.top], seed: 2).picture()
        let pictures = try #require(PicturePair(before: before, now: now))
        func sides(_ quad: Quad) -> [SideNovelty.Side] { SideNovelty.sides(of: quad, in: pictures) }
        #expect(sides(TestPile.small) == [.new, .new, .new, .new])
        #expect(sides(TestPile.large) == [.old, .old, .old, .old])
        let beyond = TestScene.quad([(10, -40), (630, -40), (630, -10), (10, -10)])
        #expect(sides(beyond) == [.none, .none, .none, .none])
    }

    @Test("A side is old however much brighter the picture became")
    func brighter() throws {
        let pictures = try #require(
            PicturePair(
                before: TestPile([Self.below], exposure: 0.4).picture(),
                now: TestPile([Self.below], seed: 2).picture()))
        #expect(abs(pictures.gain - 2.5) < 0.2)
        #expect(
            SideNovelty.sides(of: TestPile.large, in: pictures) == [.old, .old, .old, .old])
    }

    @Test(
        "Pictures of any size and content are safe",
        arguments: 0..<40 as Range<UInt64>)
    func anything(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let width = Int.random(in: 1...90, using: &dice)
        let height = Int.random(in: 1...90, using: &dice)
        func picture() -> Raster {
            var raster = Raster(width: width, height: height, format: .gray8)
            // The picture is of one level, all noise, or noise in one part.
            let (kind, level) = (dice.next() % 3, UInt8(truncatingIfNeeded: dice.next()))
            let edge = Int.random(in: 0...width, using: &dice)
            let stride = raster.stride
            raster.withMutableBytes { bytes in
                for y in 0..<height {
                    for x in 0..<width {
                        let isNoise = kind == 1 || kind == 2 && x < edge
                        bytes[y * stride + x] =
                            isNoise ? UInt8(truncatingIfNeeded: dice.next()) : level
                    }
                }
            }
            return raster
        }
        let (before, now) = (picture(), picture())
        let pictures = try #require(PicturePair(before: before, now: now))
        let change = PictureChange(pictures)
        if let sheet = LaidSheet(change) { #expect(sheet.quad.isConvex) }
        let beyond = TestScene.quad([(-1e7, -5), (1e7, 0), (1e7, 1e7), (-3, 80)])
        #expect(SideNovelty.sides(of: beyond, in: pictures).count == 4)
        #expect((0...1).contains(change.share(of: beyond)))
    }
}
