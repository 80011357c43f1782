import Glibc
import Testing

@testable import Imaging

/// A convex quad: a rectangle whose corners are moved by up to a fifth of its sides.
func looseQuad(_ generator: inout SeededGenerator, width: Double = 1000, height: Double = 700)
    -> Quad
{
    func moved(_ x: Double, _ y: Double) -> Point {
        Point(
            x: x + Double.random(in: -0.2...0.2, using: &generator) * width,
            y: y + Double.random(in: -0.2...0.2, using: &generator) * height)
    }
    return Quad(
        topLeft: moved(0, 0), topRight: moved(width, 0), bottomRight: moved(width, height),
        bottomLeft: moved(0, height))
}

@Suite struct GeometryTests {
    @Test("An inset quad has its sides moved inward by the given distance", arguments: 1...20)
    func inset(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        func about(_ x: Double, _ y: Double) -> Point {
            Point(
                x: x + Double.random(in: -60...60, using: &dice),
                y: y + Double.random(in: -60...60, using: &dice))
        }
        let quad = Quad(
            topLeft: about(100, 100), topRight: about(500, 100), bottomRight: about(500, 400),
            bottomLeft: about(100, 400))
        let distance = Double.random(in: 0.5...20, using: &dice)
        let inner = quad.inset(by: distance)
        let (outside, inside) = (quad.corners, inner.corners)
        for side in 0..<4 {
            let (a, b) = (outside[side], outside[(side + 1) % 4])
            let length = a.distance(to: b)
            for corner in [inside[side], inside[(side + 1) % 4]] {
                let away =
                    ((b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x)) / length
                #expect((away - distance).magnitude < 1e-9)
            }
        }
        #expect(quad.inset(by: 0) == quad)
    }

    @Test("A homography maps corners to corners, and its inverse maps them back")
    func corners() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let source = looseQuad(&generator)
            let target = looseQuad(&generator, width: 50, height: 4000)
            let map = try #require(Homography(from: source, to: target))
            let inverse = try #require(map.inverse)
            for (from, to) in zip(source.corners, target.corners) {
                #expect(map.apply(from).distance(to: to) < 1e-6)
                #expect(inverse.apply(to).distance(to: from) < 1e-6)
            }
            let inside = source.center
            #expect(inverse.apply(map.apply(inside)).distance(to: inside) < 1e-6)
        }
    }

    @Test("A grid's points map like single points")
    func grid() throws {
        var generator = SeededGenerator(seed: 12)
        let map = try #require(
            Homography(from: Quad(width: 6, height: 4), to: looseQuad(&generator)))
        let points = map.applyToGrid(width: 7, height: 5)
        #expect(points.count == 35)
        for (index, point) in points.enumerated() {
            let alone = map.apply(Point(x: Double(index % 7), y: Double(index / 7)))
            #expect(point.distance(to: alone) < 1e-9)
        }
        #expect(map.applyToGrid(width: 0, height: 5).isEmpty)
    }

    @Test("A homography keeps points on a line")
    func lines() throws {
        var generator = SeededGenerator(seed: 12)
        let map = try #require(Homography(from: looseQuad(&generator), to: looseQuad(&generator)))
        let (a, b, c) = (Point(x: 100, y: 100), Point(x: 300, y: 250), Point(x: 500, y: 400))
        let (p, q, r) = (map.apply(a), map.apply(b), map.apply(c))
        #expect((q - p).cross(r - p).magnitude < 1e-6)
        #expect(map.then(try #require(map.inverse))?.apply(b).distance(to: b) ?? 1 < 1e-6)
    }

    @Test(
        "Corners that form no quadrilateral give no homography",
        arguments: [
            // Two equal corners, three on a line, crossed sides, a dent, not a number, infinite, no
            // area.
            [(0.0, 0.0), (0, 0), (1, 1), (0, 1)], [(0, 0), (1, 0), (2, 0), (0, 1)],
            [(0, 0), (1, 1), (1, 0), (0, 1)], [(0, 0), (4, 0), (1, 1), (0, 4)],
            [(.nan, 0), (1, 0), (1, 1), (0, 1)], [(0, 0), (.infinity, 0), (1, 1), (0, 1)],
            [(5, 5), (5, 5), (5, 5), (5, 5)],
        ])
    func degenerate(corners: [(Double, Double)]) {
        let points = corners.map { Point(x: $0.0, y: $0.1) }
        let quad = Quad(
            topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        #expect(!quad.isConvex)
        #expect(Homography(from: quad, to: Quad(width: 10, height: 10)) == nil)
        #expect(Homography(from: Quad(width: 10, height: 10), to: quad) == nil)
        #expect(throws: ImagingError.self) {
            try Raster(width: 4, height: 4, format: .gray8).warped(from: quad, width: 3, height: 3)
        }
    }

    @Test("A matrix that maps the plane to a line is refused")
    func singular() {
        #expect(Homography(matrix: [1, 2, 3, 2, 4, 6, 0, 0, 1]) == nil)
        #expect(Homography(matrix: [Double](repeating: 0, count: 9)) == nil)
        #expect(Homography(matrix: [1, 0, 0]) == nil)
        #expect(Homography(matrix: Homography.identity.matrix) == .identity)
    }

    @Test("Areas, sides, angles and diagonal of a known quad")
    func measures() {
        let quad = Quad(
            topLeft: Point(x: 1, y: 1), topRight: Point(x: 4, y: 1), bottomRight: Point(x: 4, y: 5),
            bottomLeft: Point(x: 1, y: 5))
        #expect(quad.area == 12)
        #expect(quad.sides == [3, 4, 3, 4])
        #expect(quad.diagonal == 5)
        #expect(quad.angles.allSatisfy { ($0 - 90).magnitude < 1e-9 })
        #expect(quad.center == Point(x: 2.5, y: 3))
        #expect(quad.scaled(x: 2, y: 0.5).area == 12)
        let bounds = PixelRect(x: 0, y: 0, width: 4, height: 4)
        #expect(quad.boundingBox(in: bounds) == PixelRect(x: 1, y: 1, width: 3, height: 3))
    }

    @Test("The angles of a convex quad add up to 360 degrees")
    func angleSum() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            let quad = looseQuad(&generator)
            #expect((quad.angles.reduce(0, +) - 360).magnitude < 1e-6)
        }
    }

    @Test("Overlap is 1 with itself, symmetric, 0 apart, and exact for shifted squares")
    func overlap() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<100 {
            let (a, b) = (looseQuad(&generator), looseQuad(&generator))
            #expect((a.intersectionOverUnion(a) - 1).magnitude < 1e-9)
            #expect((a.intersectionOverUnion(b) - b.intersectionOverUnion(a)).magnitude < 1e-9)
        }
        let square = Quad(width: 10, height: 10)
        func shifted(_ dx: Double, reversed: Bool = false) -> Quad {
            let p = square.corners.map { Point(x: $0.x + dx, y: $0.y) }
            return reversed
                ? Quad(topLeft: p[3], topRight: p[2], bottomRight: p[1], bottomLeft: p[0])
                : Quad(topLeft: p[0], topRight: p[1], bottomRight: p[2], bottomLeft: p[3])
        }
        #expect((square.intersectionOverUnion(shifted(5)) - 1.0 / 3).magnitude < 1e-12)
        #expect(
            (square.intersectionOverUnion(shifted(5, reversed: true)) - 1.0 / 3).magnitude < 1e-12)
        #expect(square.intersectionOverUnion(shifted(10)) == 0)
        #expect(square.intersectionOverUnion(shifted(50)) == 0)
    }

    @Test("Corners in any order are sorted")
    func ordering() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<100 {
            let quad = looseQuad(&generator)
            #expect(Quad(ordering: quad.corners.shuffled(using: &generator)) == quad)
        }
        #expect(Quad(ordering: [Point(x: 0, y: 0), Point(x: 1, y: 1)]) == nil)
        let dent = [(0.0, 0.0), (4, 0), (1, 1), (0, 4)].map { Point(x: $0.0, y: $0.1) }
        #expect(Quad(ordering: dent) == nil)
    }

    @Test(
        "The true shape of a sheet follows from its photograph",
        arguments: [210.0 / 297, 1.0, 297.0 / 210, 0.4])
    func aspect(ratio: Double) throws {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<50 {
            // A pinhole camera of known focal length shows a sheet that is rotated and tilted.
            let focal = Double.random(in: 0.7...1.5, using: &generator) * 4000
            let tiltX = Double.random(in: 0.2...0.5, using: &generator)
            let tiltY = Double.random(in: 0.2...0.5, using: &generator)
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { u, v -> Point in
                let (x, y) = (u * ratio / 2, v / 2)
                let depth = 2.2 + tiltX * x + tiltY * y
                let lean = (1 - tiltX * tiltX).squareRoot()
                let stand = (1 - tiltY * tiltY - tiltX * tiltX * tiltY * tiltY / (lean * lean))
                    .squareRoot()
                // Two perpendicular unit vectors span the sheet: (lean, 0, tiltX) and
                // (−tiltX·tiltY/lean, stand, tiltY).
                let px = lean * x - tiltX * tiltY / lean * y
                let py = stand * y
                return Point(x: 2000 + focal * px / depth, y: 1500 + focal * py / depth)
            }
            let quad = Quad(
                topLeft: corners[0], topRight: corners[1], bottomRight: corners[2],
                bottomLeft: corners[3])
            let found = try #require(quad.trueAspectRatio(inPictureOf: 4000, by: 3000))
            #expect((found / ratio - 1).magnitude < 0.01)
            let known = quad.trueAspectRatio(
                inPictureOf: 4000, by: 3000, focalLength: focal / 4000)
            #expect((try #require(known) / ratio - 1).magnitude < 1e-6)
        }
        let flat = Quad(width: 700, height: 1000)
        #expect(
            (try #require(flat.trueAspectRatio(inPictureOf: 700, by: 1000)) - 0.7).magnitude < 1e-6)
    }

    @Test(
        "An error of one pixel in a corner hardly changes a page's shape under a camera",
        arguments: [210.0 / 297, 297.0 / 210, 216.0 / 279, 53.98 / 85.6])
    func aspectOfInexactCorners(ratio: Double) throws {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<200 {
            let focal = Double.random(in: 0.7...1, using: &generator) * 1920
            // The camera is tilted forward, as on stands, and the page is nearly straight.
            let tilt = Double.random(in: 0...0.28, using: &generator)
            let turn = Double.random(in: -0.05...0.05, using: &generator)
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { u, v -> Point in
                let (x, y) = (u * ratio / 2, v / 2)
                let (across, down) = (
                    cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y
                )
                let depth = 2.2 * max(1, ratio) + sin(tilt) * down
                func off() -> Double { Double.random(in: -1...1, using: &generator) }
                return Point(
                    x: 960 + focal * across / depth + off(),
                    y: 540 + focal * cos(tilt) * down / depth + off())
            }
            let quad = Quad(
                topLeft: corners[0], topRight: corners[1], bottomRight: corners[2],
                bottomLeft: corners[3])
            let found = try #require(quad.trueAspectRatio(inPictureOf: 1920, by: 1080))
            #expect((found / ratio - 1).magnitude < 0.02)
        }
    }
}
