import Imaging
import Testing

@testable import Detection

/// The maps of a perfect network, as in the training targets.
final class DrawnMaps {
    let side = 48
    private(set) var values: [Float]
    var presence = 1.0

    init() { values = Array(repeating: 0, count: 3 * 48 * 48) }

    /// Draws a page whose corners are given as fractions of the picture.
    func draw(_ quad: Quad) {
        let corners = quad.corners.map {
            Point(x: $0.x * Double(side) - 0.5, y: $0.y * Double(side) - 0.5)
        }
        for row in 0..<side {
            for column in 0..<side {
                let point = Point(x: Double(column), y: Double(row))
                var (depth, edge, corner) = (Double.infinity, Double.infinity, Double.infinity)
                for i in 0..<4 {
                    let (a, b) = (corners[i], corners[(i + 1) % 4])
                    let length = a.distance(to: b)
                    let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length)
                    let (dx, dy) = (point.x - a.x, point.y - a.y)
                    depth = min(depth, ux * dy - uy * dx)
                    let along = min(length, max(0, ux * dx + uy * dy))
                    edge = min(
                        edge, point.distance(to: Point(x: a.x + along * ux, y: a.y + along * uy)))
                    corner = min(corner, point.distance(to: a))
                }
                let cell = row * side + column
                set(0, cell, min(1, max(0, depth + 0.5)))
                set(1, cell, Self.bell(edge / 0.8))
                set(2, cell, Self.bell(corner / 1.1))
            }
        }
    }

    /// Damages cells; `change` gets the map's number, the row and the column.
    func spoil(_ change: (Int, Int, Int) -> Float?) {
        for map in 0..<3 {
            for row in 0..<side {
                for column in 0..<side {
                    if let value = change(map, row, column) {
                        values[(map * side + row) * side + column] = value
                    }
                }
            }
        }
    }

    func read() -> [MapReader.Reading] {
        values.withUnsafeBufferPointer { values in
            // The maps are never empty.
            MapReader(maps: PageMaps(side: side, values: values.baseAddress!, presence: presence))
                .readings()
        }
    }

    private func set(_ map: Int, _ cell: Int, _ value: Double) {
        let index = map * side * side + cell
        values[index] = max(values[index], Float(value))
    }

    /// exp(−x² ÷ 2), by the limit of (1 − x² ÷ 2n)ⁿ.
    private static func bell(_ x: Double) -> Double {
        var value = max(0, 1 - x * x / 2048)
        for _ in 0..<10 { value *= value }
        return value
    }
}

@Suite struct MapReaderTests {
    private func quad(
        center: (Double, Double), radii: [Double], angle: Double
    ) -> Quad? {
        let corners = (0..<4).map { i -> Point in
            let (sine, cosine) = Self.sineCosine(angle + 90 * Double(i))
            return Point(x: center.0 + radii[i] * cosine, y: center.1 + radii[i] * sine)
        }
        return Quad(ordering: corners)
    }

    private static func sineCosine(_ degrees: Double) -> (Double, Double) {
        var (sine, cosine) = (0.0, 1.0)
        // The rotation is in steps of a thousandth of the angle, which is accurate enough for
        // random pages.
        let step = degrees * .pi / 180 / 1000
        for _ in 0..<1000 {
            (sine, cosine) = (sine + step * cosine, cosine - step * sine)
            let length = (sine * sine + cosine * cosine).squareRoot()
            (sine, cosine) = (sine / length, cosine / length)
        }
        return (sine, cosine)
    }

    @Test("Any fully visible page is read from clean maps to within 3 %", arguments: 0..<60)
    func inView(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let radii = (0..<4).map { _ in Double.random(in: 0.27...0.46, using: &generator) }
        let truth = try #require(
            quad(center: (0.5, 0.5), radii: radii, angle: .random(in: 0..<90, using: &generator)))
        let maps = DrawnMaps()
        maps.draw(truth)
        let readings = maps.read()
        #expect(readings.count == 1)
        let found = try #require(readings.first)
        #expect(found.quad.intersectionOverUnion(truth) > 0.97)
        #expect(found.overlap > 0.9)
    }

    @Test("Several pages do not count against each other")
    func several() {
        let maps = DrawnMaps()
        let places = [(0.06, 0.1), (0.39, 0.3), (0.72, 0.05)]
        for (x, y) in places {
            maps.draw(
                Quad(
                    topLeft: Point(x: x, y: y), topRight: Point(x: x + 0.24, y: y),
                    bottomRight: Point(x: x + 0.24, y: y + 0.5),
                    bottomLeft: Point(x: x, y: y + 0.5)))
        }
        let readings = maps.read()
        #expect(readings.count == places.count)
        for reading in readings { #expect(reading.overlap > 0.85) }
    }

    @Test("Other objects count against a page beside them")
    func fragment() throws {
        let page = Quad(
            topLeft: Point(x: 0.1, y: 0.1), topRight: Point(x: 0.6, y: 0.1),
            bottomRight: Point(x: 0.6, y: 0.9), bottomLeft: Point(x: 0.1, y: 0.9))
        let maps = DrawnMaps()
        maps.draw(page)
        // A triangle of desk, which no quadrilateral fits well.
        maps.spoil { map, row, column in
            map == 0 && column > 30 && row - 8 > 3 * (column - 31) && row < 44 ? 1 : nil
        }
        let best = try #require(
            maps.read().max { $0.area < $1.area })
        #expect(best.quad.intersectionOverUnion(page) > 0.95)
        #expect(best.overlap < 0.87)
    }

    @Test("A page with one or two corners out of view continues along its sides", arguments: 0..<60)
    func outOfView(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 1000 + seed)
        // One corner is pushed out of the picture, so that the border cuts the corner off; most of
        // each side stays in view.
        let angle = Double.random(in: 30...60, using: &generator)
        var radii = (0..<4).map { _ in Double.random(in: 0.33...0.42, using: &generator) }
        let out = Int.random(in: 0..<4, using: &generator)
        radii[out] = .random(in: 0.75...0.85, using: &generator)
        let truth = try #require(quad(center: (0.5, 0.5), radii: radii, angle: angle))
        #expect(truth.corners.contains { !(0...1).contains($0.x) || !(0...1).contains($0.y) })
        let maps = DrawnMaps()
        maps.draw(truth)
        let found = try #require(maps.read().first)
        #expect(found.quad.intersectionOverUnion(truth) > 0.97)
    }

    @Test(
        "A side with an edge on only half of its length is read from that half", arguments: 0..<4
    )
    func covered(side: Int) throws {
        let truth = try #require(
            quad(center: (0.5, 0.5), radii: [0.42, 0.4, 0.43, 0.41], angle: 40))
        let maps = DrawnMaps()
        maps.draw(truth)
        // The mask extends two cells too far, and the edge is missing in the middle of the side.
        let corners = truth.corners.map { Point(x: $0.x * 48 - 0.5, y: $0.y * 48 - 0.5) }
        let (a, b) = (corners[side], corners[(side + 1) % 4])
        let length = a.distance(to: b)
        maps.spoil { map, row, column in
            let (dx, dy) = (Double(column) - a.x, Double(row) - a.y)
            let along = ((b.x - a.x) * dx + (b.y - a.y) * dy) / length
            let depth = ((b.x - a.x) * dy - (b.y - a.y) * dx) / length
            guard along > 0.3 * length, along < 0.75 * length else { return nil }
            if map == 0, depth > -2, depth < 1 { return 1 }
            if map == 1, depth.magnitude < 3 { return 0.02 }
            return nil
        }
        let found = try #require(maps.read().first)
        #expect(found.quad.intersectionOverUnion(truth) > 0.95)
    }

    @Test("Two pages give two readings")
    func two() throws {
        let pages = try [(0.26, 0.5), (0.74, 0.5)].map {
            try #require(quad(center: $0, radii: [0.25, 0.26, 0.25, 0.27], angle: 45))
        }
        let maps = DrawnMaps()
        for page in pages { maps.draw(page) }
        let readings = maps.read()
        #expect(readings.count == 2)
        for page in pages {
            #expect(readings.contains { $0.quad.intersectionOverUnion(page) > 0.95 })
        }
    }

    @Test("With any shape of the mask, no corner is far away", arguments: 0..<60)
    func shapes(seed: UInt64) {
        var generator = SeededGenerator(seed: 2000 + seed)
        // The cells on one side of several random lines: polygons of three to eight sides, most of
        // them cut by the border.
        let lines = (0..<Int.random(in: 2...7, using: &generator)).map { _ in
            let (sine, cosine) = Self.sineCosine(.random(in: 0..<360, using: &generator))
            return (sine, cosine, Double.random(in: -20...4, using: &generator))
        }
        let maps = DrawnMaps()
        maps.spoil { map, row, column in
            let (x, y) = (Double(column) - 23.5, Double(row) - 23.5)
            let depth = lines.map { $0.0 * x + $0.1 * y - $0.2 }.min() ?? 0
            return map == 0 ? Float(min(1, max(0, depth + 0.5))) : 0
        }
        for reading in maps.read() {
            #expect(reading.quad.isConvex)
            #expect(
                reading.quad.corners.allSatisfy {
                    (-1.1...2.1).contains($0.x) && (-1.1...2.1).contains($0.y)
                })
        }
    }

    @Test("Empty, full, noisy and impossible maps are safe, and a speck is not a page")
    func senseless() {
        var generator = SeededGenerator(seed: 5)
        let fills: [(Int, Int, Int) -> Float] = [
            { _, _, _ in 0 }, { _, _, _ in 1 }, { _, _, _ in .nan }, { _, _, _ in .infinity },
            { map, _, _ in map == 0 ? 1 : .nan },
            { map, row, column in map == 0 ? (row == column ? 1 : 0) : 1 },
            { map, row, column in map == 0 ? (row == 20 ? 1 : 0) : 1 },
            { _, row, column in (row + column) % 2 == 0 ? 1 : 0 },
        ]
        for fill in fills {
            let maps = DrawnMaps()
            maps.spoil(fill)
            for reading in maps.read() { #expect(reading.quad.isConvex) }
        }
        for _ in 0..<20 {
            let maps = DrawnMaps()
            maps.spoil { _, _, _ in .random(in: 0...1, using: &generator) }
            for reading in maps.read() { #expect(reading.quad.isConvex) }
        }
        let speck = DrawnMaps()
        speck.spoil { map, row, column in map == 0 && row == 9 && column < 4 ? 1 : nil }
        #expect(speck.read().isEmpty)
    }
}
