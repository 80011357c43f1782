import Imaging

/// The brightness of a page and its surroundings, in two square grids: cells, and fine cells of
/// half the size.
struct PageCells {
    /// The mean brightness of each cell.
    let coarse: CellGrid
    /// The brightness of the fine cells.
    let fine: [UInt8]
    /// Samples a page; nil when the quad is not convex, or when the camera's angle is so flat that
    /// its surroundings are not in the picture.
    ///
    /// - Parameters:
    ///   - quad: the page's corners in the picture's pixels.
    ///   - gray: a gray8 picture; for a cell beyond its edge, the nearest pixel counts.
    ///   - side: the number of cells in a side of the page.
    ///   - margin: the number of further cells at each side.
    init?(of quad: Quad, in gray: Raster, side: Int, margin: Int = 0) {
        let whole = Quad(width: side + 2 * margin, height: side + 2 * margin)
        guard let map = Self.map(of: quad, side: side, margin: margin),
            map.apply(whole).isConvex
        else { return nil }
        (coarse, fine) = Self.sample(gray, through: map, side: side + 2 * margin)
    }

    /// The map from cells to the picture's pixels; nil when the quad is not convex.
    static func map(of quad: Quad, side: Int, margin: Int) -> Homography? {
        let (first, last) = (Double(margin), Double(margin + side))
        return Homography(
            from: Quad(
                topLeft: Point(x: first, y: first), topRight: Point(x: last, y: first),
                bottomRight: Point(x: last, y: last), bottomLeft: Point(x: first, y: last)),
            to: quad)
    }

    /// The fine cells as a grid.
    var fineGrid: CellGrid { CellGrid(side: 2 * coarse.side, cells: fine.map { Float($0) }) }

    private static func sample(
        _ gray: Raster, through map: Homography, side: Int
    ) -> (coarse: CellGrid, fine: [UInt8]) {
        let far = 1e6
        func place(_ value: Double) -> Int { Int(min(max(value, -far), far) * 65536) }
        func mean(_ sum: Int) -> UInt8 { UInt8(truncatingIfNeeded: (sum &+ 2) >> 2) }
        let wide = side + 1
        let corners = map.applyToGrid(width: wide, height: wide).map {
            CellSampler.Place(x: place($0.x), y: place($0.y))
        }
        var coarse = CellGrid(side: side)
        let fineSide = 2 * side
        var fine = [UInt8](repeating: 0, count: fineSide * fineSide)
        fine.withUnsafeMutableBufferPointer { fine in
            gray.withBytes { bytes in
                guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                    return
                }
                let sampler = CellSampler(base, of: gray, corners: corners)
                for y in 0..<side {
                    var (left, under) = (corners[y &* wide], corners[(y &+ 1) &* wide])
                    for x in 0..<side {
                        let (right, farther) = (
                            corners[y &* wide &+ x &+ 1], corners[(y &+ 1) &* wide &+ x &+ 1]
                        )
                        let sums = sampler.sums(
                            CellSampler.Corners(
                                topLeft: left, topRight: right, bottomLeft: under,
                                bottomRight: farther))
                        (left, under) = (right, farther)
                        coarse.cells[y &* side &+ x] = Float(sums.all) / 16
                        let first = 2 &* (y &* fineSide &+ x)
                        fine[first] = mean(sums.topLeft)
                        fine[first &+ 1] = mean(sums.topRight)
                        fine[first &+ fineSide] = mean(sums.bottomLeft)
                        fine[first &+ fineSide &+ 1] = mean(sums.bottomRight)
                    }
                }
            }
        }
        return (coarse, fine)
    }
}
