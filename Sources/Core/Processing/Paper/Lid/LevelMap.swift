import Imaging

/// An 8-bit gray picture, copied for reading single pixels.
struct LevelMap {
    let width: Int
    let height: Int
    private let levels: [UInt8]

    /// - Precondition: `raster` is `gray8`.
    init(_ raster: Raster) {
        precondition(raster.format == .gray8)
        let (width, height) = (raster.width, raster.height)
        self.width = width
        self.height = height
        levels = raster.withBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
                for y in 0..<height {
                    for x in 0..<width { buffer[y * width + x] = bytes[y * raster.stride + x] }
                }
                count = width * height
            }
        }
    }

    private init(width: Int, height: Int, levels: [UInt8]) {
        self.width = width
        self.height = height
        self.levels = levels
    }

    /// The map with the slope of the lamp's light removed; nil if the levels along the border are
    /// not an even slope.
    ///
    /// A plane is fitted to the border's levels, then again to the levels near it, which must be at
    /// least 70 % of them.
    func borderEvened() -> LevelMap? {
        var places: [(x: Int, y: Int)] = []
        for x in 1..<width - 1 { places += [(x, 1), (x, height - 2)] }
        for y in 1..<height - 1 { places += [(1, y), (width - 2, y)] }
        guard let rough = LevelPlane(through: places, of: self) else { return nil }
        let near = places.filter {
            (Double(self[$0.x, $0.y]) - rough.level($0.x, $0.y)).magnitude <= 10
        }
        guard 10 * near.count >= 7 * places.count, let plane = LevelPlane(through: near, of: self)
        else { return nil }
        let corners = [
            plane.level(0, 0), plane.level(width, 0), plane.level(0, height),
            plane.level(width, height),
        ]
        guard let low = corners.min(), let high = corners.max(), (8...100).contains(high - low)
        else { return nil }
        let evened = levels.indices.map { index -> UInt8 in
            let fall = plane.level(index % width, index / width) - high
            return UInt8(clamping: Int((Double(levels[index]) - fall).rounded()))
        }
        return LevelMap(width: width, height: height, levels: evened)
    }

    subscript(x: Int, y: Int) -> Int { Int(levels[y * width + x]) }

    /// The level of the pixel with this index, row by row.
    subscript(index index: Int) -> Int { Int(levels[index]) }

    /// The level at a point between pixels' centers, nil outside.
    func level(at point: Point) -> Double? {
        let (x, y) = (point.x - 0.5, point.y - 0.5)
        guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return nil }
        let (left, top) = (Int(x), Int(y))
        let (dx, dy) = (x - Double(left), y - Double(top))
        let upper =
            Double(self[left, top]) * (1 - dx) + Double(self[left + 1, top]) * dx
        let lower =
            Double(self[left, top + 1]) * (1 - dx) + Double(self[left + 1, top + 1]) * dx
        return upper * (1 - dy) + lower * dy
    }

    /// The most common levels along the picture's border, most common first; at most three.
    func borderLevels() -> [Int] {
        var counts = [Int](repeating: 0, count: 256)
        // The outermost pixels are left out, because they are often a scanner's dark line.
        for x in 1..<width - 1 {
            counts[self[x, 1]] += 1
            counts[self[x, height - 2]] += 1
        }
        for y in 1..<height - 1 {
            counts[self[1, y]] += 1
            counts[self[width - 2, y]] += 1
        }
        let total = counts.reduce(0, +)
        var found: [Int] = []
        while found.count < 3 {
            let windows = (0..<256).map { center in
                counts[max(0, center - 4)...min(255, center + 4)].reduce(0, +)
            }
            // If several windows have the same count, the one in the middle is used.
            guard let most = windows.max(), Double(most) >= 0.08 * Double(total) else { break }
            let equal = windows.indices.filter { windows[$0] == most }
            let center = equal[equal.count / 2]
            found.append(center)
            for level in max(0, center - 8)...min(255, center + 8) { counts[level] = 0 }
        }
        return found
    }

    /// The level, 0…255, below which the fraction `share`, 0…1, of the pixels lies.
    func level(above share: Double) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        for level in levels { counts[Int(level)] += 1 }
        var left = Int(share * Double(levels.count))
        for level in 0..<256 {
            left -= counts[level]
            if left < 0 { return level }
        }
        return 255
    }

    /// The fraction, 0…1, of the places around the border that are brighter than `level`.
    ///
    /// A place has the level of the brightest of four pixels, one pixel inside, so that the line of
    /// a frame near the border does not count.
    func borderShare(above level: Int) -> Double {
        var bright = 0
        var all = 0
        for side in Side.allCases {
            let view = SideView(side: side, levels: self)
            for line in 0..<view.lines {
                all += 1
                if (1...4).contains(where: { view[line, $0] > level }) { bright += 1 }
            }
        }
        return Double(bright) / Double(all)
    }

    /// The median level of the pixels well inside a quad.
    func median(inside quad: Quad) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        // The pixels are sampled along lines from side to side; a margin of 5 % is left out.
        for row in stride(from: 0.05, through: 0.95, by: 0.02) {
            for column in stride(from: 0.05, through: 0.95, by: 0.02) {
                let top = quad.topLeft.toward(quad.topRight, column)
                let bottom = quad.bottomLeft.toward(quad.bottomRight, column)
                let point = top.toward(bottom, row)
                let (x, y) = (Int(point.x), Int(point.y))
                guard x >= 0, y >= 0, x < width, y < height else { continue }
                counts[self[x, y]] += 1
                total += 1
            }
        }
        var sum = 0
        for level in 0..<256 {
            sum += counts[level]
            if sum * 2 > total { return level }
        }
        return 0
    }
}

extension Point {
    /// The point at a fraction of the way to another.
    func toward(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
