/// Levels that change linearly across a picture, as a lamp's light does.
struct LevelPlane {
    private let middle: (x: Double, y: Double, level: Double)
    private let slope: (x: Double, y: Double)

    /// The plane by least squares through some pixels of a map; nil when they are on one line.
    init?(through places: [(x: Int, y: Int)], of map: LevelMap) {
        let count = Double(max(1, places.count))
        let x = places.reduce(0) { $0 + Double($1.x) } / count
        let y = places.reduce(0) { $0 + Double($1.y) } / count
        let level = places.reduce(0) { $0 + Double(map[$1.x, $1.y]) } / count
        var (xx, xy, yy, xl, yl) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for place in places {
            let (dx, dy) = (Double(place.x) - x, Double(place.y) - y)
            let rise = Double(map[place.x, place.y]) - level
            xx += dx * dx
            xy += dx * dy
            yy += dy * dy
            xl += dx * rise
            yl += dy * rise
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-6 * xx * yy, determinant > 0 else { return nil }
        middle = (x, y, level)
        slope = ((xl * yy - yl * xy) / determinant, (yl * xx - xl * xy) / determinant)
    }

    func level(_ x: Int, _ y: Int) -> Double {
        middle.level + slope.x * (Double(x) - middle.x) + slope.y * (Double(y) - middle.y)
    }
}
