import Imaging

/// Neighboring cells of the mask that probably belong to a page.
struct MaskRegion {
    /// The number of cells, each weighted by its probability of belonging to the page.
    var area = 0.0
    /// The points where the mask crosses one half around the cells, or the frame's border where the
    /// cells touch it.
    var outline: [Point] = []
    /// The cells' numbers, row by row.
    var cells: [Int] = []
    private var sum = Point(x: 0, y: 0)

    /// The weighted mean of the cells.
    var center: Point { Point(x: sum.x / area, y: sum.y / area) }

    private init() {}

    /// The regions of a mask of at least `least` cells, in the order of their first cells.
    static func all(in maps: PageMaps, least: Double) -> [MaskRegion] {
        let (side, mask) = (maps.side, maps.mask)
        var isSeen = [Bool](repeating: false, count: side * side)
        var regions: [MaskRegion] = []
        var waiting: [Int] = []
        for seed in 0..<side * side where mask[seed] > 0.5 && !isSeen[seed] {
            var region = MaskRegion()
            isSeen[seed] = true
            waiting.append(seed)
            while let cell = waiting.popLast() {
                let (y, x) = cell.quotientAndRemainder(dividingBy: side)
                region.cells.append(cell)
                region.add(x, y, Double(mask[cell]))
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (nx, ny) = (x + dx, y + dy)
                    guard nx >= 0, ny >= 0, nx < side, ny < side else {
                        region.addCrossing(x, y, dx: dx, dy: dy, at: 0.5)
                        continue
                    }
                    let next = ny * side + nx
                    if mask[next] > 0.5 {
                        if !isSeen[next] {
                            isSeen[next] = true
                            waiting.append(next)
                        }
                    } else {
                        let (here, there) = (Double(mask[cell]), Double(mask[next]))
                        region.addCrossing(x, y, dx: dx, dy: dy, at: (here - 0.5) / (here - there))
                    }
                }
            }
            if region.area >= least { regions.append(region) }
        }
        return regions
    }

    private mutating func add(_ x: Int, _ y: Int, _ share: Double) {
        area += share
        sum.x += share * Double(x)
        sum.y += share * Double(y)
    }

    private mutating func addCrossing(_ x: Int, _ y: Int, dx: Int, dy: Int, at part: Double) {
        outline.append(Point(x: Double(x) + part * Double(dx), y: Double(y) + part * Double(dy)))
    }
}
