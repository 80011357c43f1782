import Imaging

/// Compares the inside of a quad in a picture with its outside.
enum Surroundings {
    /// The minimum difference, in levels of 255, of white paper from a white desk; the two sides of
    /// a line on one sheet differ by one or two.
    private static let leastStep = 3.0

    /// True when the outside of the quad differs from the inside along at least three sides, as a
    /// desk differs from the page on it.
    ///
    /// Three things have no such edges: a frame drawn on a page, with paper on both sides of its
    /// line; a glow, which changes as much along the line as across it; and a dark figure on
    /// a page that fills the picture and has print around the figure. Up to two sides may be at the
    /// picture's border, where the outside can't be seen.
    ///
    /// - Parameters:
    ///   - quad: the corners in `gray`.
    ///   - gray: an 8-bit gray picture.
    static func differ(about quad: Quad, in gray: Raster) -> Bool {
        let levels = LevelMap(gray.thumbnail(longSide: 480))
        let quad = quad.scaled(
            x: Double(levels.width) / Double(gray.width),
            y: Double(levels.height) / Double(gray.height))
        let corners = quad.corners
        let center = quad.center
        var (outOfView, differing, darker) = (0, 0, 0)
        for index in 0..<4 {
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            func beside(_ share: Double) -> Double? {
                level(from: a, to: b, toward: center, levels, share: share)
            }
            guard let inside = beside(0.05), let outside = beside(-0.05) else {
                outOfView += 1
                continue
            }
            let step = (inside - outside).magnitude
            let slopes = [
                beside(0.15).map { ($0 - inside).magnitude },
                beside(-0.15).map { ($0 - outside).magnitude },
            ]
            let slope = slopes.compactMap { $0 }.min() ?? 0
            guard step > leastStep, step > 1.5 * slope else { continue }
            differing += 1
            if inside < outside { darker += 1 }
        }
        return differing >= 2 && differing + outOfView >= 3
            && !(darker >= 2 && isPrinted(about: quad, levels))
    }

    /// True when the picture's border is paper and there is print on the paper outside the quad.
    private static func isPrinted(about quad: Quad, _ levels: LevelMap) -> Bool {
        let paper = levels.level(above: 0.9) - 32
        guard levels.borderShare(above: paper) >= 0.9 else { return false }
        let center = quad.center
        // The quad is made slightly larger, so that its own soft edge does not count as print.
        let corners = quad.corners.map { center.toward($0, 1.06) }
        var (outside, dark) = (0, 0)
        for y in stride(from: 0, to: levels.height, by: 2) {
            for x in 0..<levels.width {
                let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                let isInside = (0..<4).allSatisfy { index in
                    let (a, b) = (corners[index], corners[(index + 1) % 4])
                    return (b.x - a.x) * (point.y - a.y) >= (b.y - a.y) * (point.x - a.x)
                }
                guard !isInside else { continue }
                outside += 1
                if levels[x, y] < paper { dark += 1 }
            }
        }
        return Double(dark) > 0.01 * Double(outside)
    }

    /// The median level beside a line, between a third and all of `share` of the way to `center`;
    /// nil outside the picture.
    private static func level(
        from a: Point, to b: Point, toward center: Point, _ levels: LevelMap, share: Double
    ) -> Double? {
        var found: [Double] = []
        for along in stride(from: 0.1, through: 0.9, by: 0.02) {
            for depth in [0.4, 0.6, 0.8, 1] {
                let place = a.toward(b, along).toward(center, share * depth)
                if let level = levels.level(at: place) { found.append(level) }
            }
        }
        guard found.count >= 40 else { return nil }
        found.sort()
        return found[found.count / 2]
    }
}
