import Testing

@testable import Detection
@testable import Imaging

@Suite struct TopSheetTests {
    /// The lowest sheet of a stack, the one on it, and a new one whose upper and left sides are
    /// where those of the sheet below are.
    private static let lowest = TestPile.Sheet(quad: TestPile.large.moved(12, 14), print: 1)
    private static let middle = TestPile.Sheet(quad: TestPile.large, print: 2)
    private static let top = TestPile.Sheet(
        quad: TestScene.quad([(170.5, 40.5), (436, 59.5), (427, 428), (150.5, 419)]), print: 3)
    /// The stack's outline, as a search sees it.
    private static let outline = TestScene.quad([
        (170, 40), (462.3, 60.9), (452, 454), (149.3, 443.6),
    ])

    private func found(
        _ outline: Quad, _ before: [TestPile.Sheet], _ now: [TestPile.Sheet]
    ) -> TopSheet? {
        PicturePair(
            before: TestPile(before).picture(), now: TestPile(now, seed: 2).picture()
        ).flatMap { TopSheet(within: outline, in: $0) }
    }

    @Test("A new sheet is found inside the outline of the stack below it")
    func inside() throws {
        let sheet = try #require(
            found(Self.outline, [Self.lowest, Self.middle], [Self.lowest, Self.middle, Self.top]))
        #expect(sheet.quad.drift(from: Self.top.quad) * Self.top.quad.diagonal < 4)
    }

    @Test("Without a side of the stack below, nothing is changed")
    func right() {
        let now = [Self.lowest, Self.middle, Self.top]
        #expect(found(Self.top.quad, [Self.lowest, Self.middle], now) == nil)
        #expect(found(Self.top.quad, [], [Self.top]) == nil)
    }

    @Test("If nothing was put down, there is no new sheet inside")
    func nothing() {
        let stack = [Self.lowest, Self.middle]
        #expect(found(Self.outline, stack, stack) == nil)
    }

    @Test("If the top sheet was removed, there is no new sheet inside the one below")
    func removed() {
        #expect(
            found(Self.middle.quad, [Self.middle, Self.top], [Self.middle]) == nil)
    }

    @Test("A frame printed on a page in the place of the last one is no sheet")
    func framed() {
        var picture = TestPile([Self.middle], seed: 2).picture()
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            // A line inside the right side that ends before the corners, as print does.
            for y in 100..<400 {
                for x in 420..<423 { bytes[y * stride + x] = 70 }
            }
        }
        let pictures = PicturePair(before: TestPile([Self.middle]).picture(), now: picture)
        #expect(pictures.flatMap { TopSheet(within: Self.middle.quad, in: $0) } == nil)
    }

    @Test("Outlines of any kind are safe")
    func anything() throws {
        let pictures = try #require(
            PicturePair(
                before: TestPile([]).picture(), now: TestPile([Self.middle], seed: 2).picture()))
        for outline in [
            TestScene.quad([(-1e7, -5), (1e7, 0), (1e7, 1e7), (-3, 80)]),
            TestScene.quad([(10, 10), (12, 10), (12, 12), (10, 12)]),
            TestScene.quad([(-300, -300), (2000, -300), (2000, 2000), (-300, 2000)]),
        ] {
            #expect(TopSheet(within: outline, in: pictures) == nil)
        }
    }
}
