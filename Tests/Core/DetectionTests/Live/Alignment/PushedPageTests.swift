import Testing

@testable import Detection
@testable import Imaging

@Suite struct PushedPageTests {
    private static let before = Desk(page: 3, noise: 4, seed: 2)

    private static func found(_ desk: Desk) throws -> Quad? {
        try #require(PushedPage(Desk.place, in: before.luma())).place(in: desk.luma())
    }

    @Test(
        "A pushed page is found to a fraction of a pixel",
        arguments: [(0.0, 0.0, 0.0), (21, -16, 2), (-40, 12, -4), (7, 19, 3), (48, -9, 0)])
    func pushed(across: Double, down: Double, degrees: Double) throws {
        let place = Desk.place.moved(across, down).turned(byDegrees: degrees)
        let found = try #require(
            try Self.found(Desk(page: 3, quad: place, light: 0.9, noise: 4, seed: 5)))
        let off = found.drift(from: place) * place.diagonal
        #expect(off < 1, "\(off) pixels off")
    }

    @Test("Another page of the same form is not the pushed one", arguments: 4...11)
    func another(page: Int) throws {
        #expect(try Self.found(Desk(page: page, quad: Desk.place.moved(14, 6), noise: 4)) == nil)
    }

    @Test("A removed or half covered page is not found")
    func gone() throws {
        #expect(try Self.found(Desk(page: nil, noise: 4)) == nil)
        let place = Desk.place.moved(12, 0)
        #expect(try Self.found(Desk(page: 3, quad: place, noise: 4, hand: 230..<480)) == nil)
    }

    @Test("An empty page can't be found again")
    func empty() {
        let gray = Raster(width: Desk.width, height: Desk.height, format: .gray8)
        #expect(PushedPage(Desk.place, in: gray) == nil)
    }

    @Test("The surroundings of a page at a flat angle are not in the picture")
    func flat() throws {
        // The left and right sides meet 19 pixels above the page, whose height is 200 pixels.
        let quad = TestScene.quad([(220, 100), (260, 100), (470, 300), (10, 300)])
        let picture = Desk(page: 3).luma()
        #expect(PageCells(of: quad, in: picture, side: 64) != nil)
        #expect(PageCells(of: quad, in: picture, side: 64, margin: 16) == nil)
    }
}

extension Quad {
    /// The quad turned clockwise about the middle of its corners.
    fileprivate func turned(byDegrees degrees: Double) -> Quad {
        let angle = degrees * .pi / 180
        // Sine and cosine of a few degrees, accurate to a hundredth of a pixel.
        let (s, c) = (angle - angle * angle * angle / 6, 1 - angle * angle / 2)
        let sum = corners.reduce(Point(x: 0, y: 0)) { Point(x: $0.x + $1.x, y: $0.y + $1.y) }
        let middle = Point(x: sum.x / 4, y: sum.y / 4)
        func turned(_ p: Point) -> Point {
            let (x, y) = (p.x - middle.x, p.y - middle.y)
            return Point(x: middle.x + c * x - s * y, y: middle.y + s * x + c * y)
        }
        return Quad(
            topLeft: turned(topLeft), topRight: turned(topRight),
            bottomRight: turned(bottomRight), bottomLeft: turned(bottomLeft))
    }
}
