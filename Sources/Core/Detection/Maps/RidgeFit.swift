import Imaging

/// Moves the sides of a rough quad onto the ridges of the edge map.
///
/// The ridge is looked for across each side, at many places in the picture. A straight line is
/// fitted to the results by weighted least squares, in which outliers weigh little (Holland and
/// Welsch, "Robust regression using iteratively reweighted least squares", 1977; Cauchy's weights).
/// Then neighboring lines are intersected. So a partly hidden side continues in the direction of
/// its visible part.
struct RidgeFit {
    let maps: PageMaps

    /// The number of cells to each side in which the ridge is looked for, in each round.
    private static let reaches = [2.5, 1.75, 1.25]
    /// The number of cells between two probes across a side.
    private static let step = 0.25
    /// Only cells this near the ridge's top count, so that lines of text inside the page have no
    /// effect.
    private static let ridge = 1.01
    /// At this many cells from the line, a place has half its weight.
    private static let tolerance = 0.35
    /// The minimum total weight of a side's places for moving the side.
    private static let leastWeight = 1.5
    /// The maximum number of cells by which a corner may move in one round.
    private static let mostMove = 8.0

    /// The quad with its sides on the ridges, in cells.
    func fitted(_ rough: [Point]) -> [Point] {
        var corners = rough
        for reach in Self.reaches {
            let lines = (0..<4).map { side(from: corners[$0], to: corners[($0 + 1) % 4], reach) }
            corners = (0..<4).map { i in
                let (before, after) = (lines[(i + 3) % 4], lines[i])
                guard
                    let crossing = Hull.intersection(before.0, before.1, c: after.0, d: after.1),
                    crossing.distance(to: corners[i]) <= Self.mostMove
                else { return corners[i] }
                return crossing
            }
        }
        return corners
    }

    /// The side moved onto its ridge; unchanged if no ridge is visible.
    private func side(from a: Point, to b: Point, _ reach: Double) -> (Point, Point) {
        let length = a.distance(to: b)
        guard length > 1e-3 else { return (a, b) }
        let normal = Point(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        var line = LineFit(tolerance: Self.tolerance)
        let places = max(8, Int(length * 1.5))
        var weight = 0.0
        for i in 0..<places {
            let along = 0.06 + 0.88 * Double(i) / Double(places - 1)
            let foot = Point(x: a.x + along * (b.x - a.x), y: a.y + along * (b.y - a.y))
            let far = Double(maps.side) - 1.2
            guard foot.x > 0.2, foot.y > 0.2, foot.x < far, foot.y < far else { continue }
            let found = ridge(at: foot, across: normal, reach)
            line.add(along: along, across: found.offset, weight: found.weight)
            weight += found.weight
        }
        guard weight >= Self.leastWeight, let fit = line.solved() else { return (a, b) }
        func moved(_ point: Point, _ by: Double) -> Point {
            Point(x: point.x + by * normal.x, y: point.y + by * normal.y)
        }
        return (moved(a, fit.start), moved(b, fit.end))
    }

    /// The place of the ridge across a side, in cells from `foot`, and its clarity, 0…1.
    private func ridge(
        at foot: Point, across normal: Point, _ reach: Double
    ) -> (offset: Double, weight: Double) {
        let count = Int(2 * reach / Self.step) + 1
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { values in
            var top = 0
            for i in 0..<count {
                let offset = Double(i) * Self.step - reach
                let value = maps.edge(
                    at: Point(x: foot.x + offset * normal.x, y: foot.y + offset * normal.y))
                values[i] = value * value
                if values[i] > values[top] { top = i }
            }
            let near = Int(Self.ridge / Self.step)
            var (sum, moment) = (0.0, 0.0)
            for i in max(0, top - near)...min(count - 1, top + near) {
                sum += values[i]
                moment += values[i] * (Double(i) * Self.step - reach)
            }
            return (moment / (sum + 1e-6), min(1, sum / Double(count) * 4))
        }
    }
}

extension PageMaps {
    /// The edge map's value between cells.
    fileprivate func edge(at point: Point) -> Double {
        let last = Double(side) - 1.001
        let (x, y) = (min(max(point.x, 0), last), min(max(point.y, 0), last))
        let (column, row) = (Int(x), Int(y))
        let (a, b) = (x - Double(column), y - Double(row))
        let cell = edge + (row * side + column)
        let upper = Double(cell[0]) * (1 - a) + Double(cell[1]) * a
        let lower = Double(cell[side]) * (1 - a) + Double(cell[side + 1]) * a
        return upper * (1 - b) + lower * b
    }
}
