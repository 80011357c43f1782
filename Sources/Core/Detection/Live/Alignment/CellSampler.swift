import Imaging

/// Reads the brightness of a page's cells, each at four by four places within it.
struct CellSampler {
    /// A place in the picture, in units of 1/65,536 pixel.
    struct Place {
        var x: Int
        var y: Int
    }

    /// The corners of a cell.
    struct Corners {
        var topLeft: Place
        var topRight: Place
        var bottomLeft: Place
        var bottomRight: Place
    }

    /// The sums of the four places in each quarter of a cell.
    struct Sums {
        var topLeft: Int
        var topRight: Int
        var bottomLeft: Int
        var bottomRight: Int

        /// The sum of all places.
        var all: Int { topLeft &+ topRight &+ bottomLeft &+ bottomRight }
    }

    private let base: UnsafePointer<UInt8>
    private let stride: Int
    private let lastX: Int
    private let lastY: Int
    /// False if a place may be outside the picture, where the nearest pixel is used.
    private let isInside: Bool

    /// A sampler for the bytes of a gray8 picture, and cells with these corners.
    init(_ base: UnsafePointer<UInt8>, of gray: Raster, corners: [Place]) {
        self.base = base
        stride = gray.stride
        let (lastX, lastY) = (gray.width - 1, gray.height - 1)
        (self.lastX, self.lastY) = (lastX, lastY)
        // Samples stay one pixel away from the rim, because rounding may lead beyond a small cell's
        // corners.
        isInside = corners.allSatisfy {
            let (column, row) = ($0.x >> 16, $0.y >> 16)
            return column > 0 && column < lastX && row > 0 && row < lastY
        }
    }

    /// The sums of a cell.
    @inline(__always)
    func sums(_ cell: Corners) -> Sums {
        guard isInside else {
            return sums(cell) { column, row in
                let place = min(max(row, 0), lastY) &* stride &+ min(max(column, 0), lastX)
                return Int(base[place])
            }
        }
        return sums(cell) { column, row in Int(base[row &* stride &+ column]) }
    }

    @inline(__always)
    private func sums(_ cell: Corners, _ level: (Int, Int) -> Int) -> Sums {
        let (a, b, c, d) = (cell.topLeft, cell.topRight, cell.bottomLeft, cell.bottomRight)
        // A quarter of the cell's side, from one place to the next.
        let across = Place(x: (b.x &- a.x &+ d.x &- c.x) >> 3, y: (b.y &- a.y &+ d.y &- c.y) >> 3)
        let down = Place(x: (c.x &- a.x &+ d.x &- b.x) >> 3, y: (c.y &- a.y &+ d.y &- b.y) >> 3)
        // The first place is one and a half such steps from the middle.
        let first = Place(
            x: (a.x &+ b.x &+ c.x &+ d.x) >> 2 &- (3 &* (across.x &+ down.x)) >> 1,
            y: (a.y &+ b.y &+ c.y &+ d.y) >> 2 &- (3 &* (across.y &+ down.y)) >> 1)
        @inline(__always)
        func sum(_ x: Int, _ y: Int) -> Int {
            let upper = Place(
                x: first.x &+ x &* across.x &+ y &* down.x,
                y: first.y &+ x &* across.y &+ y &* down.y)
            let lower = Place(x: upper.x &+ down.x, y: upper.y &+ down.y)
            return level(upper.x >> 16, upper.y >> 16)
                &+ level((upper.x &+ across.x) >> 16, (upper.y &+ across.y) >> 16)
                &+ level(lower.x >> 16, lower.y >> 16)
                &+ level((lower.x &+ across.x) >> 16, (lower.y &+ across.y) >> 16)
        }
        return Sums(
            topLeft: sum(0, 0), topRight: sum(2, 0), bottomLeft: sum(0, 2), bottomRight: sum(2, 2))
    }
}
