import Testing

@testable import Detection
@testable import Imaging

@Suite struct HullTests {
    static let octagon = [(2.0, 0.0), (6, 0), (8, 2), (8, 6), (6, 8), (2, 8), (0, 6), (0, 2)]
        .map { Point(x: $0.0, y: $0.1) }

    @Test("The hull of a filled square is its four corners")
    func square() {
        let points = (0...10).flatMap { y in (0...10).map { Point(x: Double($0), y: Double(y)) } }
        let hull = Hull.convex(points)
        #expect(
            Set(hull) == Set([(0, 0), (10, 0), (10, 10), (0, 10)].map { Point(x: $0.0, y: $0.1) }))
    }

    @Test("Cut corners are restored")
    func cutCorners() throws {
        let quad = try #require(Hull.quad(about: Hull.convex(Self.octagon)))
        #expect((quad.area - 64).magnitude < 1e-9)
        #expect(quad.topLeft.distance(to: Point(x: 0, y: 0)) < 1e-9)
    }

    @Test("A polygon with frayed corners keeps its four sides")
    func frayed() throws {
        let points = [(0.0, 0.3), (0.2, 0), (20, -0.2), (20.3, 0.1), (20, 10), (10, 10.2), (0, 10)]
        let quad = try #require(Hull.quad(of: points.map { Point(x: $0.0, y: $0.1) }))
        #expect((quad.area - 200).magnitude < 6)
        #expect(Hull.quad(of: Array(Self.octagon.prefix(3))) == nil)
    }

    @Test("Too few points form no quadrilateral")
    func few() {
        #expect(Hull.quad(about: Hull.convex([])) == nil)
        #expect(Hull.quad(about: Hull.convex([Point(x: 1, y: 1)])) == nil)
        #expect(Hull.quad(about: Hull.convex((0..<9).map { Point(x: Double($0), y: 2) })) == nil)
    }
}
