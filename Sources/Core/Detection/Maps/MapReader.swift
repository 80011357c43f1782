import Imaging

/// Finds pages in the network's maps.
struct MapReader {
    /// A page that was found in the maps.
    struct Reading {
        /// The corners, in parts of the picture's width and height; outside 0…1 where a corner is
        /// out of view.
        let quad: Quad
        /// The agreement of mask and quad, 0…1; cells that clearly belong to another page do not
        /// count against it.
        let overlap: Double
        /// The number of cells in the mask, and the mask's center in parts of the picture.
        let area: Double
        let center: Point
    }

    let maps: PageMaps

    /// The minimum number of cells in a page.
    private static let leastCells = 6.0
    /// The fraction of the way that a corner moves toward the corner map's peak, and the least
    /// height of the peak.
    private static let snap = 0.8
    private static let leastPeak: Float = 0.3

    /// A region whose agreement with its quad is at least this high is clearly a page.
    private static let plain = 0.85

    /// One page for each region of the mask that a quadrilateral fits.
    func readings() -> [Reading] {
        let regions = MaskRegion.all(in: maps, least: Self.leastCells)
        guard regions.count > 1 else { return regions.compactMap { reading($0) } }
        var isElsewhere = [Bool](repeating: false, count: maps.side * maps.side)
        func mark(_ region: MaskRegion, _ value: Bool) {
            for cell in region.cells { isElsewhere[cell] = value }
        }
        for region in regions { mark(region, true) }
        var found: [(region: MaskRegion, reading: Reading, isPlain: Bool)] = []
        for region in regions {
            mark(region, false)
            if let alone = reading(region, without: isElsewhere) {
                found.append((region, alone, alone.overlap >= Self.plain))
            }
            mark(region, true)
        }
        for region in regions { mark(region, false) }
        for one in found where one.isPlain { mark(one.region, true) }
        return found.compactMap { one in
            guard one.isPlain else { return reading(one.region) }
            mark(one.region, false)
            defer { mark(one.region, true) }
            return reading(one.region, without: isElsewhere)
        }
    }

    /// - Parameter isElsewhere: for each cell, whether it belongs to another page and so reveals
    ///   nothing about this one.
    private func reading(_ region: MaskRegion, without isElsewhere: [Bool] = []) -> Reading? {
        guard let rough = rough(region) else { return nil }
        let corners = RidgeFit(maps: maps).fitted(rough.corners).map(snapped)
        guard let quad = Quad(ordering: corners), quad.angles.allSatisfy(Self.angles.contains)
        else { return nil }
        let scale = 1 / Double(maps.side)
        func part(_ point: Point) -> Point {
            Point(x: (point.x + 0.5) * scale, y: (point.y + 0.5) * scale)
        }
        return Reading(
            quad: Quad(
                topLeft: part(quad.topLeft), topRight: part(quad.topRight),
                bottomRight: part(quad.bottomRight), bottomLeft: part(quad.bottomLeft)),
            overlap: overlap(of: quad, without: isElsewhere), area: region.area,
            center: part(region.center))
    }

    /// Four corners around a region, accurate to about a cell.
    ///
    /// A fully visible page has its corners on the region's hull. A page that the picture's border
    /// cuts has further sides there: these are removed, and their neighbors are extended until they
    /// meet.
    private func rough(_ region: MaskRegion) -> Quad? {
        let (near, far) = (-0.4, Double(maps.side) - 0.6)
        func isCut(_ a: Point, _ b: Point) -> Bool {
            max(a.x, b.x) < near || max(a.y, b.y) < near || min(a.x, b.x) > far
                || min(a.y, b.y) > far
        }
        let hull = Hull.convex(region.outline)
        let sides = zip(hull, hull.dropFirst() + hull.prefix(1))
        if !sides.contains(where: isCut), let quad = Hull.quad(of: hull) { return quad }
        // Nearly parallel sides meet far away, where no corner is; the hull's own corners are used
        // then.
        let reach = -Double(maps.side)...2 * Double(maps.side)
        if let quad = Hull.quad(about: hull, isCut: isCut),
            quad.corners.allSatisfy({ reach.contains($0.x) && reach.contains($0.y) })
        {
            return quad
        }
        return Hull.quad(of: hull)
    }

    /// The possible angles, in degrees, between two sides of a page in the squeezed picture.
    private static let angles = 12.0...168.0

    /// The corner, moved toward a nearby peak of the corner map.
    private func snapped(_ corner: Point) -> Point {
        let (side, map) = (maps.side, maps.corner)
        guard corner.x > 1.5, corner.y > 1.5, corner.x < Double(side) - 2.5,
            corner.y < Double(side) - 2.5
        else { return corner }
        let (column, row) = (Int(corner.x.rounded()), Int(corner.y.rounded()))
        var top = (x: column, y: row)
        for y in row - 2...row + 2 {
            for x in column - 2...column + 2 where map[y * side + x] > map[top.y * side + top.x] {
                top = (x, y)
            }
        }
        let peak = map[top.y * side + top.x]
        guard peak >= Self.leastPeak else { return corner }
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for row in max(0, top.y - 1)...min(side - 1, top.y + 1) {
            for column in max(0, top.x - 1)...min(side - 1, top.x + 1) {
                let value = Double(map[row * side + column])
                sum += value * value
                x += value * value * Double(column)
                y += value * value * Double(row)
            }
        }
        let pull = Self.snap * min(1, Double(peak))
        return Point(
            x: corner.x + (x / sum - corner.x) * pull, y: corner.y + (y / sum - corner.y) * pull)
    }

    /// The area that quad and mask share, divided by the area that they cover together; each cell
    /// is weighted by its part in the page.
    private func overlap(of quad: Quad, without isElsewhere: [Bool]) -> Double {
        // Inward normals and distances of the sides; the corners run clockwise as seen.
        let corners = quad.corners
        let sides = (0..<4).map { i -> (x: Double, y: Double, d: Double) in
            let (a, b) = (corners[i], corners[(i + 1) % 4])
            let length = a.distance(to: b)
            let (x, y) = (-(b.y - a.y) / length, (b.x - a.x) / length)
            return (x, y, x * a.x + y * a.y)
        }
        var (shared, covered) = (0.0, 0.0)
        for row in 0..<maps.side {
            for column in 0..<maps.side {
                let (x, y) = (Double(column), Double(row))
                var depth = Double.infinity
                for side in sides { depth = min(depth, side.x * x + side.y * y - side.d) }
                let inside = min(1, max(0, depth + 0.5))
                let cell = row * maps.side + column
                let counts = isElsewhere.isEmpty || !isElsewhere[cell]
                let mask = counts ? Double(maps.mask[cell]) : 0
                shared += min(inside, mask)
                covered += max(inside, mask)
            }
        }
        return covered > 0 ? shared / covered : 0
    }
}
