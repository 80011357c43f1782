import Imaging

/// A plane through values at places in a picture, by least squares; outliers have no effect.
struct PlaneFit {
    private var middle = Point(x: 0, y: 0)
    private var level: Double
    private var (across, down) = (0.0, 0.0)

    /// Values farther than this from the previous plane are left out, in the first round and in
    /// later ones.
    private static let (first, later) = (0.15, 0.08)
    private static let rounds = 4
    /// With fewer values than these, the plane is level at their median.
    private static let fewest = 5
    /// The pixels over which each place is spread, so that places on almost one line give a nearly
    /// level plane.
    private static let spread = 100.0

    /// - Parameter values: places, and the value at each; at least one.
    init(_ values: [(place: Point, value: Double)]) {
        let sorted = values.map(\.value).sorted()
        level = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        for round in 0..<Self.rounds {
            let reach = round == 0 ? Self.first : Self.later
            let near = values.filter { abs($0.value - value(at: $0.place)) < reach }
            guard near.count >= Self.fewest else { return }
            fit(near)
        }
    }

    func value(at place: Point) -> Double {
        level + across * (place.x - middle.x) + down * (place.y - middle.y)
    }

    private mutating func fit(_ values: [(place: Point, value: Double)]) {
        let count = Double(values.count)
        middle = values.reduce(Point(x: 0, y: 0)) {
            Point(x: $0.x + $1.place.x / count, y: $0.y + $1.place.y / count)
        }
        level = values.reduce(0) { $0 + $1.value / count }
        let least = Self.spread * Self.spread
        var (xx, xy, yy, xv, yv) = (least, 0.0, least, 0.0, 0.0)
        for (place, value) in values {
            let (x, y, v) = (place.x - middle.x, place.y - middle.y, value - level)
            xx += x * x
            xy += x * y
            yy += y * y
            xv += x * v
            yv += y * v
        }
        let determinant = xx * yy - xy * xy
        across = (xv * yy - yv * xy) / determinant
        down = (yv * xx - xv * xy) / determinant
    }
}
