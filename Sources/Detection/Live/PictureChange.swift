import Imaging

/// What changed in a picture since an earlier one of the same place, as a camera that does not move gives them.
struct PictureChange {
    /// Brightness now less brightness before, about middle gray: 128 where nothing changed.
    let difference: Raster
    /// The convex hull of the largest region that changed, in pixels, clockwise as seen; empty when nothing did.
    let hull: [Point]

    /// Cells along the picture's longer side; of each the mean change counts.
    private static let cells = 160
    /// A cell changed when its pixels differ by more than so many levels on average, or by so many times what those at the picture's rim do.
    private static let (leastLevels, leastNoise) = (5, 3)
    /// The rim: this part of the cells at each side, where a page seldom lies, tells noise and exposure.
    private static let rim = 0.1
    /// Changed cells belong together where blocks of so many cells a side touch.
    private static let block = 3

    /// What changed; nil for pictures of different sizes, or that are no gray ones.
    init?(from before: Raster, to now: Raster) {
        guard (before.width, before.height) == (now.width, now.height), before.format == .gray8,
            now.format == .gray8
        else { return nil }
        let gain = Self.gain(from: before, to: now)
        difference = Self.difference(now, before, gain)
        hull = Self.hull(of: difference)
    }

    /// How many times as bright the picture is as before, by the median of the rim's pixels: cameras adjust their exposure to what lies in view.
    private static func gain(from before: Raster, to now: Raster) -> Double {
        var ratios: [Double] = []
        before.withBytes { old in
            now.withBytes { new in
                for y in stride(from: 0, to: now.height, by: 4) {
                    for x in stride(from: 0, to: now.width, by: 4)
                    where isRim(x, now.width) || isRim(y, now.height) {
                        let (a, b) = (old[y * before.stride + x], new[y * now.stride + x])
                        if a >= 16, b < 250 { ratios.append(Double(b) / Double(a)) }
                    }
                }
            }
        }
        guard !ratios.isEmpty else { return 1 }
        ratios.sort()
        return ratios[ratios.count / 2]
    }

    private static func isRim(_ place: Int, _ length: Int) -> Bool {
        let depth = Int(rim * Double(length))
        return place < depth || place >= length - depth
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

    /// The hull of the largest region that changed.
    private static func hull(of difference: Raster) -> [Point] {
        let size = max(1, max(difference.width, difference.height) / cells)
        let (across, down) = (difference.width / size, difference.height / size)
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
        var quiet = sums.indices.filter { isRim($0 % across, across) || isRim($0 / across, down) }
            .map { sums[$0] }
        quiet.sort()
        let noise = quiet.isEmpty ? 0 : quiet[quiet.count / 2]
        let threshold = max(leastLevels * size * size, leastNoise * noise)
        return Hull.convex(largestRegion(sums.map { $0 > threshold }, across, down)).map {
            Point(x: $0.x * Double(size), y: $0.y * Double(size))
        }
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
