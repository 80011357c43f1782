import Imaging

/// What lies about a quad in a picture.
enum Surroundings {
    /// True when what lies outside the quad differs from what lies inside along at least three of its sides.
    ///
    /// A frame drawn on a page has paper on both sides of its line, so it is no edge of paper. Sides at the picture's border count as
    /// differing.
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
        let centre = quad.centre
        let differing = (0..<4).count { index in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            guard let inside = level(from: a, to: b, towards: centre, levels, share: 0.05),
                let outside = level(from: a, to: b, towards: centre, levels, share: -0.05)
            else { return true }
            return (inside - outside).magnitude > 8
        }
        return differing >= 3
    }

    /// The middle level beside a line, between a third and the whole of `share` of the way to `centre`; nil outside the picture.
    private static func level(
        from a: Point, to b: Point, towards centre: Point, _ levels: LevelMap, share: Double
    ) -> Double? {
        var found: [Double] = []
        for along in stride(from: 0.1, through: 0.9, by: 0.02) {
            for depth in [0.4, 0.6, 0.8, 1] {
                let place = a.towards(b, along).towards(centre, share * depth)
                if let level = levels.level(at: place) { found.append(level) }
            }
        }
        guard found.count >= 40 else { return nil }
        found.sort()
        return found[found.count / 2]
    }
}
