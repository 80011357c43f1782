import Imaging

/// The pixels that may show the scanner's lid: those within a tolerance of its level.
struct LidMask {
    private let levels: LevelMap
    private let lid: Int
    private let tolerance: Int

    init(_ levels: LevelMap, lid: Int, tolerance: Int) {
        self.levels = levels
        self.lid = lid
        self.tolerance = tolerance
    }

    private func isLid(_ x: Int, _ y: Int) -> Bool {
        (levels[x, y] - lid).magnitude <= tolerance
    }

    /// The places where the lid ends for good, seen from one side of the picture: one sample for
    /// each row or column with such a place.
    ///
    /// The lid ends for good if at most one in eight of the following pixels is lid, over a 25th of
    /// the way to the other side. A frame's line, a hair and a line of text are thinner than that.
    func edge(from side: Side) -> [EdgeLine.Sample] {
        let isDown = side.isDown
        let lines = isDown ? levels.height : levels.width
        let depth = isDown ? levels.width : levels.height
        let run = max(6, depth / 25)
        let allowed = run / 8
        return (0..<lines).compactMap { line in
            func isLid(_ step: Int) -> Bool {
                let place = side.isFar ? depth - 1 - step : step
                return isDown ? self.isLid(place, line) : self.isLid(line, place)
            }
            var inRun = 0
            for step in 0..<depth {
                inRun += isLid(step) ? 1 : 0
                if step >= run { inRun -= isLid(step - run) ? 1 : 0 }
                guard step >= run - 1, inRun <= allowed, !isLid(step - run + 1) else { continue }
                let first = step - run + 1
                let across =
                    side.isFar ? Double(depth - first) : Double(first)
                return EdgeLine.Sample(along: Double(line) + 0.5, across: across)
            }
            return nil
        }
    }

    /// The fraction of the pixels outside `quad` that are not lid, without a margin of two pixels
    /// around the quad; 0 when there are no pixels.
    func dirt(outside quad: Quad) -> Double {
        var outside = 0
        var dirt = 0
        let corners = quad.corners
        for y in 0..<levels.height {
            for x in 0..<levels.width {
                let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                let isInside = (0..<4).allSatisfy {
                    let (a, b) = (corners[$0], corners[($0 + 1) % 4])
                    let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
                    return cross >= -2.5 * a.distance(to: b)
                }
                if isInside { continue }
                outside += 1
                if !isLid(x, y) { dirt += 1 }
            }
        }
        return outside == 0 ? 0 : Double(dirt) / Double(outside)
    }
}
