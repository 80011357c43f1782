import Imaging

/// The places of a page where a code of two dimensions may be: small, about as wide as high, and full of edges.
///
/// ZXing 1.4 seeks Data Matrix and Aztec codes in the middle of a picture only; cut out, each lies in the middle.
enum MatrixPlaces {
    /// The longer side of the picture that is looked at, in pixels; a larger one is reduced.
    private static let longSide = 1760
    /// Pixels a side of the squares whose edges are measured.
    private static let cell = 8
    /// The standard deviation of the levels within a square that holds edges; grain and paper have less.
    private static let leastDeviation = 8.0
    /// Squares a side of a place, at least: print of usual sizes is lower.
    private static let leastSide = 4
    /// Places that are given; what has most edges comes first.
    private static let most = 8

    /// The places, white margins included, in pixels of `gray`; none is more than half of the picture's side.
    static func all(in gray: Raster) -> [PixelRect] {
        let small = gray.thumbnail(longSide: longSide)
        let scale = Double(gray.width) / Double(small.width)
        let (columns, rows) = (small.width / cell, small.height / cell)
        guard columns >= leastSide, rows >= leastSide else { return [] }
        let deviations = deviations(small, columns, rows)
        var places: [(rect: PixelRect, edges: Double)] = []
        for group in groups(deviations, columns, rows) {
            let xs = group.map { $0 % columns }
            let ys = group.map { $0 / columns }
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(),
                let bottom = ys.max()
            else { continue }
            let (wide, high) = (right - left + 1, bottom - top + 1)
            // A square code that leans by an eighth of a turn fills half of the place around it; Data Matrix may be four times as wide as high.
            guard min(wide, high) >= leastSide, max(wide, high) <= 4 * min(wide, high),
                max(wide, high) * 2 <= max(columns, rows), group.count * 5 >= wide * high * 2
            else { continue }
            let margin = max(2, max(wide, high) / 4)
            let place = PixelRect(
                x: Int(Double((left - margin) * cell) * scale),
                y: Int(Double((top - margin) * cell) * scale),
                width: Int(Double((wide + 2 * margin) * cell) * scale),
                height: Int(Double((high + 2 * margin) * cell) * scale))
            guard let rect = place.intersection(gray.bounds) else { continue }
            places.append((rect, group.reduce(0) { $0 + deviations[$1] } / Double(wide * high)))
        }
        return places.sorted { $0.edges > $1.edges }.prefix(most).map(\.rect)
    }

    /// The standard deviation of each square's levels, row after row.
    private static func deviations(_ gray: Raster, _ columns: Int, _ rows: Int) -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(columns * rows)
        gray.withBytes { bytes in
            for row in 0..<rows {
                for column in 0..<columns {
                    var (sum, squares) = (0, 0)
                    for y in row &* cell..<(row &+ 1) &* cell {
                        let start = y &* gray.stride &+ column &* cell
                        for x in start..<start &+ cell {
                            let level = Int(bytes[x])
                            sum &+= level
                            squares &+= level &* level
                        }
                    }
                    let count = Double(cell * cell)
                    let mean = Double(sum) / count
                    result.append(max(0, Double(squares) / count - mean * mean).squareRoot())
                }
            }
        }
        return result
    }

    /// The connected squares that hold edges, as indices.
    private static func groups(_ deviations: [Double], _ columns: Int, _ rows: Int) -> [[Int]] {
        var isOpen = deviations.map { $0 >= leastDeviation }
        var groups: [[Int]] = []
        for start in isOpen.indices where isOpen[start] {
            isOpen[start] = false
            var group = [start]
            var next = 0
            while next < group.count {
                let (x, y) = (group[next] % columns, group[next] / columns)
                next += 1
                for beside in max(0, y - 1)...min(rows - 1, y + 1) {
                    for index in max(0, x - 1)...min(columns - 1, x + 1) {
                        let neighbour = beside * columns + index
                        guard isOpen[neighbour] else { continue }
                        isOpen[neighbour] = false
                        group.append(neighbour)
                    }
                }
            }
            groups.append(group)
        }
        return groups
    }
}
