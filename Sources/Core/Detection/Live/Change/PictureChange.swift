import Imaging

/// The change of a picture since an earlier one of the same place, from a camera that does not
/// move.
struct PictureChange {
    /// The pictures.
    let pictures: PicturePair
    /// The convex hull of the largest region that changed, in pixels, clockwise as seen; empty for
    /// no change.
    let hull: [Point]
    /// The centers of the cells that changed, in pixels.
    private let places: [Point]
    /// The area of a cell, in pixels.
    private let cellArea: Double

    /// Cells along the picture's longer side; the mean change of each counts.
    private static let cells = 160
    /// The number of rows from one examined row to the next.
    private static let rowStep = 2
    /// A cell changed if its pixels differ by more than this many levels on average, or by this
    /// many times the difference at the picture's rim.
    private static let (leastLevels, leastNoise) = (5, 3)
    /// The width of a sheet's shadow, as a part of the picture's longer side.
    private static let shadow = 0.025
    /// Changed cells belong together if their blocks touch, with this many cells in a block's side.
    private static let block = 3

    /// The change from the earlier picture to the later one.
    init(_ pictures: PicturePair) {
        let now = pictures.now
        self.pictures = pictures
        let size = max(1, max(now.width, now.height) / Self.cells)
        let (across, down) = (now.width / size, now.height / size)
        let isChanged = Self.changedCells(of: pictures, size, across, down)
        let region = isChanged.isEmpty ? [] : Self.largestRegion(isChanged, across, down)
        hull = Hull.convex(region).map { Point(x: $0.x * Double(size), y: $0.y * Double(size)) }
        cellArea = Double(size * size)
        places = isChanged.indices.filter { isChanged[$0] }.map {
            Point(
                x: (Double($0 % across) + 0.5) * Double(size),
                y: (Double($0 / across) + 0.5) * Double(size))
        }
    }

    /// The part of the picture that changed, 0…1.
    var share: Double {
        Double(places.count) * cellArea / Double(max(1, pictures.now.width * pictures.now.height))
    }

    /// The part of a quad's area that changed, 0…1.
    ///
    /// - Parameter sheet: a sheet that is left out together with its shadow.
    func share(of quad: Quad, beyond sheet: Quad? = nil) -> Double {
        let margin = Self.shadow * Double(max(pictures.now.width, pictures.now.height))
        let changed = places.count {
            quad.depth(of: $0) >= 0 && (sheet?.depth(of: $0) ?? -.infinity) < -margin
        }
        return min(1, Double(changed) * cellArea / max(quad.area, 1))
    }

    /// The present brightness less the earlier one, plus 128: 128 where nothing changed.
    func difference() -> Raster {
        let now = pictures.now
        let expected = ExpectedLevel(gain: pictures.gain)
        var result = Raster(width: now.width, height: now.height, format: .gray8)
        let stride = result.stride
        result.withMutableBytes { bytes in
            guard let out = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            pictures.withRows { before, now, width in
                for y in 0..<pictures.now.height {
                    let (old, new, row) = (before(y), now(y), out + y &* stride)
                    var x = 0
                    while x < width {
                        let change = expected.change(from: old[x], to: new[x]) &+ 128
                        row[x] = UInt8(truncatingIfNeeded: max(0, min(255, change)))
                        x &+= 1
                    }
                }
            }
        }
        return result
    }

    /// The cells that changed, row by row, with this many pixels in a side; empty for a picture
    /// with too few cells.
    private static func changedCells(
        of pictures: PicturePair, _ size: Int, _ across: Int, _ down: Int
    ) -> [Bool] {
        guard min(across, down) >= 2 * block else { return [] }
        let sums = changes(of: pictures, size, across, down)
        // Every second cell of the rim, in both directions, is enough.
        var quiet: [Int] = []
        for y in stride(from: 0, to: down, by: 2) {
            let isRimRow = PicturePair.isRim(y, down)
            for x in stride(from: 0, to: across, by: 2)
            where isRimRow || PicturePair.isRim(x, across) {
                quiet.append(sums[y * across + x])
            }
        }
        quiet.sort()
        let noise = quiet.isEmpty ? 0 : quiet[quiet.count / 2]
        let pixels = size * ((size + rowStep - 1) / rowStep)
        let threshold = max(leastLevels * pixels, leastNoise * noise)
        return sums.map { $0 > threshold }
    }

    /// The change of each cell: the sum of the levels by which the pixels of every second row
    /// changed.
    private static func changes(
        of pictures: PicturePair, _ size: Int, _ across: Int, _ down: Int
    ) -> [Int] {
        let expected = ExpectedLevel(gain: pictures.gain)
        var sums = [Int](repeating: 0, count: across * down)
        // The changes are first added up for each column, so that the processor handles many pixels
        // at once.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: pictures.now.width) { columns in
            guard let column = columns.baseAddress else { return }
            pictures.withRows { before, now, width in
                for cellRow in 0..<down {
                    column.update(repeating: 0, count: width)
                    for y in stride(from: cellRow * size, to: (cellRow + 1) * size, by: rowStep) {
                        let (old, new) = (before(y), now(y))
                        var x = 0
                        while x < width {
                            let change = expected.change(from: old[x], to: new[x])
                            column[x] &+= UInt32(change.magnitude)
                            x &+= 1
                        }
                    }
                    for cell in 0..<across {
                        for place in cell &* size..<(cell &+ 1) &* size {
                            sums[cellRow &* across &+ cell] &+= Int(column[place])
                        }
                    }
                }
            }
        }
        return sums
    }

    /// The corners, in cells, of the changed cells in the touching blocks with the largest common
    /// area.
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

/// The expected level of a pixel that did not change, when the whole picture became lighter or
/// darker.
private struct ExpectedLevel {
    /// The factor of brightness, as a whole number and 256ths, so that a row's pixels are computed
    /// in 16 bits.
    private let whole: UInt16
    private let part: UInt16

    init(gain: Double) {
        let parts = Int((256 * min(max(gain, 0), 255)).rounded())
        (whole, part) = (UInt16(parts / 256), UInt16(parts % 256))
    }

    /// The present level less the expected one, −255…255.
    @inline(__always)
    func change(from before: UInt8, to now: UInt8) -> Int16 {
        let level = UInt16(before)
        let expected = min(255, level &* whole &+ (level &* part &+ 128) &>> 8)
        return Int16(now) &- Int16(truncatingIfNeeded: expected)
    }
}
