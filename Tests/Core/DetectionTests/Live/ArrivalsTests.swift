import Testing

@testable import Detection
@testable import Imaging

@Suite struct ArrivalsTests {
    /// Cards of 63 × 88 mm as a camera straight above sees them, one partly on the other.
    private static let first = TestPile.Sheet(quad: card(180, 120), print: 1)
    private static let second = TestPile.Sheet(quad: card(240, 135), print: 2)

    private static func card(_ x: Double, _ y: Double) -> Quad {
        TestScene.quad([(x, y), (x + 157.5, y), (x + 157.5, y + 220), (x, y + 220)])
    }

    /// Looks three times at each pile in turn, with other grain each time, and returns the last
    /// result for each.
    private func found(
        _ piles: [[TestPile.Sheet]], shapes: [Double] = NetworkPageDetector.cardShapes
    ) -> [Quad?] {
        var arrivals = Arrivals(shapes: shapes)
        var seed: UInt64 = 0
        return piles.map { pile in
            var result: Quad?
            for _ in 0..<3 {
                seed += 1
                result = arrivals.look(TestPile(pile, seed: seed).picture())
            }
            return result
        }
    }

    private func isNear(_ quad: Quad?, _ sheet: TestPile.Sheet) -> Bool {
        quad.map { $0.intersectionOverUnion(sheet.quad) > 0.96 } ?? false
    }

    @Test("Each card of a fan is found when it is put down, and nothing on the empty table")
    func fan() {
        let results = found([[], [Self.first], [Self.first, Self.second]])
        #expect(results[0] == nil)
        #expect(isNear(results[1], Self.first))
        #expect(isNear(results[2], Self.second))
    }

    @Test("After a hand has passed, the last card is still the one that was put down")
    func passed() {
        let hand = TestPile.Sheet(
            quad: TestScene.quad([(200, 200), (260, 200), (300, 470), (120, 470)]), print: 7)
        let results = found([
            [Self.first], [Self.first, Self.second], [Self.first, Self.second, hand],
            [Self.first, Self.second],
        ])
        #expect(isNear(results[3], Self.second))
    }

    @Test("A removed card leaves nothing, even if another one lies below")
    func removed() {
        let results = found([[Self.first, Self.second], [Self.first], []])
        #expect(results == [nil, nil, nil])
    }

    @Test("The grain of an empty table has no new sides where a card was", arguments: UInt64(2)...9)
    func grain(seed: UInt64) throws {
        var empty = TestPile([], seed: seed)
        empty.grain = 12
        let pictures = try #require(
            PicturePair(before: TestPile([Self.first]).picture(), now: empty.picture()))
        let sides = SideNovelty.sides(of: Self.first.quad, in: pictures)
        #expect(!sides.contains(.new))
    }

    @Test("A thing of another shape is not found, and nothing without shapes")
    func shapes() {
        let square = TestPile.Sheet(
            quad: TestScene.quad([(200, 120), (400, 120), (400, 320), (200, 320)]), print: 1)
        #expect(found([[], [square]]) == [nil, nil])
        #expect(found([[], [Self.first]], shapes: []) == [nil, nil])
    }

    @Test("While something moves, nothing is found")
    func moving() {
        var arrivals = Arrivals(shapes: NetworkPageDetector.cardShapes)
        for step in 0..<6 {
            let sheet = TestPile.Sheet(quad: Self.first.quad.moved(9 * Double(step), 0), print: 1)
            let picture = TestPile([sheet], seed: UInt64(step)).picture()
            #expect(arrivals.look(picture) == nil)
        }
        let small = TestPile([Self.first]).picture().resized(to: 320, 240, filter: .area)
        #expect(arrivals.look(small) == nil)
    }
}
