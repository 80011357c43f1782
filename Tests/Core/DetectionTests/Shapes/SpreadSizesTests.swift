import Imaging
import Testing

@testable import Detection

/// Tests that the sizes of many cards on a table decide about a single card.
@Suite struct SpreadSizesTests {
    /// A grid of cards, each `growth` times as large as the card above it.
    private static func grid(growth: Double) -> [Quad] {
        var quads: [Quad] = []
        var (y, height) = (0.0, 100.0)
        for _ in 0..<4 {
            for column in 0..<4 { quads.append(card(x: 150 * Double(column), y: y, height)) }
            y += 1.2 * height
            height *= growth
        }
        return quads
    }

    private static func card(x: Double, y: Double, _ height: Double) -> Quad {
        let width = height * 63 / 88
        return TestScene.quad([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }

    @Test("All cards on a table fit, however the camera is tilted", arguments: [1, 1.04, 1.1])
    func fitting(growth: Double) {
        let quads = Self.grid(growth: growth)
        let sizes = SpreadSizes(quads)
        for quad in quads { #expect(sizes.misfit(quad) < 0.02) }
    }

    @Test("Three wrong answers among sixteen change nothing")
    func wrong() {
        var quads = Self.grid(growth: 1)
        for at in [2, 7, 12] { quads[at] = Self.card(x: 0, y: 150 * Double(at), 150) }
        let sizes = SpreadSizes(quads)
        #expect(sizes.misfit(quads[0]) == 0)
        #expect(sizes.misfit(quads[2]) > 0.3)
    }

    @Test(
        "A quad that reaches to its neighbor, or is tilted, does not fit",
        arguments: [
            ([(0.0, 0.0), (71.6, 0.0), (71.6, 120.0), (0.0, 120.0)], 0.15),
            ([(0.0, 0.0), (90.0, 0.0), (90.0, 100.0), (0.0, 100.0)], 0.15),
            ([(0.0, 0.0), (71.6, 0.0), (71.6, 120.0), (0.0, 80.0)], 0.1),
        ])
    func unfit(corners: [(Double, Double)], least: Double) {
        let sizes = SpreadSizes(Self.grid(growth: 1))
        #expect(sizes.misfit(TestScene.quad(corners)) > least)
    }

    @Test("A plane through values is found despite outliers")
    func plane() {
        let places = (0..<25).map { Point(x: Double($0 % 5) * 100, y: Double($0 / 5) * 80) }
        var values = places.map { ($0, 2 + 0.0003 * $0.x - 0.0002 * $0.y) }
        values[3].1 = 9
        values[17].1 = -4
        let fit = PlaneFit(values)
        #expect(abs(fit.value(at: Point(x: 200, y: 160)) - 2.028) < 0.005)
        #expect(abs(fit.value(at: Point(x: 0, y: 0)) - 2) < 0.05)
    }
}
