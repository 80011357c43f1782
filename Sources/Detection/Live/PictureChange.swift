import Imaging

/// What changed in a picture since an earlier one of the same place, as a camera that does not move gives them.
struct PictureChange {
    /// The pictures.
    let pictures: PicturePair
    /// Brightness now less brightness before, about middle gray: 128 where nothing changed.
    let difference: Raster
    /// The convex hull of the largest region that changed, in pixels, clockwise as seen; empty when nothing did.
    let hull: [Point]
    /// The centres of the cells that changed, in pixels.
    private let places: [Point]
    /// The area of a cell, in pixels.
    private let cellArea: Double

    /// Cells along the picture's longer side; of each the mean change counts.
    private static let cells = 160
    /// A cell changed when its pixels differ by more than so many levels on average, or by so many times what those at the picture's rim do.
    private static let (leastLevels, leastNoise) = (5, 3)
    /// How far a sheet's shadow reaches, in parts of the picture's longer side.
    private static let shadow = 0.025
    /// Changed cells belong together where blocks of so many cells a side touch.
    private static let block = 3

    /// What changed from the earlier picture to the later one.
    init(_ pictures: PicturePair) {
        let now = pictures.now
        self.pictures = pictures
        difference = Self.difference(now, pictures.before, pictures.gain)
        let size = max(1, max(now.width, now.height) / Self.cells)
        let (across, down) = (now.width / size, now.height / size)
        let isChanged = Self.changedCells(of: difference, size, across, down)
        let region = isChanged.isEmpty ? [] : Self.largestRegion(isChanged, across, down)
        hull = Hull.convex(region).map { Point(x: $0.x * Double(size), y: $0.y * Double(size)) }
        cellArea = Double(size * size)
        places = isChanged.indices.filter { isChanged[$0] }.map {
            Point(
                x: (Double($0 % across) + 0.5) * Double(size),
                y: (Double($0 / across) + 0.5) * Double(size))
        }
    }

    /// The part of a quad's area that changed, 0…1.
    ///
    /// - Parameter sheet: what lies within it, or as near to it as its shadow, is left out.
    func share(of quad: Quad, beyond sheet: Quad? = nil) -> Double {
        let margin = Self.shadow * Double(max(difference.width, difference.height))
        let changed = places.count {
            quad.depth(of: $0) >= 0 && (sheet?.depth(of: $0) ?? -.infinity) < -margin
        }
        return min(1, Double(changed) * cellArea / max(quad.area, 1))
    }

    private static func difference(_ now: Raster, _ before: Raster, _ gain: Double) -> Raster {
        // The earlier brightness as it would be now, looked up.
        let expected = (0..<256).map { Int16(min(255, (gain * Double($0)).rounded())) }
        var result = Raster(width: now.width, height: now.height, format: .gray8)
        let stride = result.stride
        result.withMutableBytes { out in
            before.withBytes { old in
                now.withBytes { new in
                    for y in 0..<now.height {
                        let (a, b) = (y &* before.stride, y &* now.stride)
                        for x in 0..<now.width {
                            let change = Int16(new[b &+ x]) &- expected[Int(old[a &+ x])] &+ 128
                            out[y &* stride &+ x] = UInt8(
                                truncatingIfNeeded: max(0, min(255, change)))
                        }
                    }
                }
            }
        }
        return result
    }

    /// Which cells of so many pixels a side changed, row by row; empty for a picture of too few.
    private static func changedCells(
        of difference: Raster, _ size: Int, _ across: Int, _ down: Int
    ) -> [Bool] {
        guard min(across, down) >= 2 * block else { return [] }
        var sums = [Int](repeating: 0, count: across * down)
        difference.withBytes { bytes in
            for y in 0..<down * size {
                let (row, cellRow) = (y * difference.stride, y / size * across)
                for cell in 0..<across {
                    let start = row &+ cell &* size
                    var sum = 0
                    for place in start..<start &+ size {
                        sum &+= Int((Int16(bytes[place]) &- 128).magnitude)
                    }
                    sums[cellRow &+ cell] &+= sum
                }
            }
        }
        var quiet = sums.indices.filter {
            PicturePair.isRim($0 % across, across) || PicturePair.isRim($0 / across, down)
        }
        .map { sums[$0] }
        quiet.sort()
        let noise = quiet.isEmpty ? 0 : quiet[quiet.count / 2]
        let threshold = max(leastLevels * size * size, leastNoise * noise)
        return sums.map { $0 > threshold }
    }

    /// The corners of the cells that changed, in cells, of those blocks that touch and have the largest area together.
    private static func largestRegion(
        _ isChanged: [Bool], _ across: Int, _ down: Int
    ) -> [Point] {
        let (width, height) = ((across + block - 1) / block, (down + block - 1) / block)
        var blocks = Raster(width: width, height: height, format: .gray8)
        let stride = blocks.stride
        blocks.withMutableBytes { bytes in
            for i in bytes.indices { bytes[i] = 255 }
            for cell in isChanged.indices where isChanged[cell] {
                bytes[cell / across / block * stride + cell % across / block] = 0
            }
        }
        let regions = InkComponents(of: blocks)
        guard let largest = regions.components.max(by: { $0.area < $1.area }) else { return [] }
        var corners: [Point] = []
        for run in regions.runs[largest.runs] {
            for y in run.y * block..<min(down, (run.y + 1) * block) {
                let row = run.start * block..<min(across, run.end * block)
                guard let first = row.first(where: { isChanged[y * across + $0] }),
                    let last = row.last(where: { isChanged[y * across + $0] })
                else { continue }
                for (x, y) in [(first, y), (first, y + 1), (last + 1, y), (last + 1, y + 1)] {
                    corners.append(Point(x: Double(x), y: Double(y)))
                }
            }
        }
        return corners
    }
}
