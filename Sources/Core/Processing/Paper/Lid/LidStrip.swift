import Imaging

/// The lid along one side of the picture, and the paper's edge where it ends.
///
/// The lid's level is measured for each line (each row at the left and right sides, each column at
/// the top and bottom) at the picture's border, because light changes along the side. Only lid
/// darker than the paper is looked for.
struct LidStrip {
    let side: Side
    /// The paper's edge.
    let line: EdgeLine
    private let levels: LevelMap
    /// The lid's level for each line.
    private let lid: [Int]
    private let samples: [EdgeLine.Sample]
    private let paper: Int

    /// The strip at `side`; nil where no straight edge is found.
    ///
    /// - Parameter paper: the level of bright paper in the picture, 0…255.
    init?(_ side: Side, in levels: LevelMap, paper: Int) {
        let view = SideView(side: side, levels: levels)
        let lid = view.borderLevels()
        let run = max(8, view.depth / 25)
        let allowed = run / 8
        var samples: [EdgeLine.Sample] = []
        for index in 0..<view.lines where paper - lid[index] > 4 {
            let level = lid[index]
            let tolerance = Self.tolerance(level, paper)
            var inRun = 0
            for step in 0..<view.depth * 6 / 10 {
                if (view[index, step] - level).magnitude <= tolerance { inRun += 1 }
                if step >= run, (view[index, step - run] - level).magnitude <= tolerance {
                    inRun -= 1
                }
                let first = step - run + 1
                guard inRun <= allowed, first > 0, view[index, first] > level + tolerance
                else { continue }
                samples.append(
                    EdgeLine.Sample(along: Double(index) + 0.5, across: view.across(at: first)))
                break
            }
        }
        guard Double(samples.count) >= 0.25 * Double(view.lines),
            let line = EdgeLine.fitted(to: samples, tolerance: 1.2, steepest: 0.15)
        else { return nil }
        self.side = side
        self.line = line
        self.levels = levels
        self.lid = lid
        self.samples = samples
        self.paper = paper
    }

    /// The sheet's clockwise turn according to this edge, as rise over run.
    var lean: Double { side.isDown ? -line.slope : line.slope }

    private static func tolerance(_ lid: Int, _ paper: Int) -> Int {
        min(24, max(4, (paper - lid) * 2 / 5))
    }

    /// The levels on both sides of the edge, between two places along it; nil unless the strip is
    /// lid and the edge is the paper's.
    ///
    /// The edge must be visible along nearly all of its length and be sharp, unlike the shadow in a
    /// book's fold. The strip must have one level, apart from a little dirt. The area beyond must
    /// be closer to bright paper than to lid.
    func step(within range: ClosedRange<Double>) -> EdgeRefiner.Step? {
        let view = SideView(side: side, levels: levels)
        let length = range.upperBound - range.lowerBound
        let inner = (range.lowerBound + 0.03 * length)...(range.upperBound - 0.03 * length)
        let places = (0..<view.lines).filter {
            inner.contains(Double($0) + 0.5) && view.depth(of: line, at: $0) >= 1.5
        }
        guard places.count >= 24, Double(places.count) >= 0.3 * length else { return nil }
        let seen = Set(samples.lazy.filter { line.fits($0, 2) }.map { Int($0.along) })
        let support = places.count { seen.contains($0) }
        guard Double(support) >= 0.8 * Double(places.count) else { return nil }

        let outside = median(places.map { lid[$0] })
        // Paper beyond the strip means that the strip is a frame's line close to the border.
        let tolerance = Self.tolerance(outside, paper)
        guard median(places.map { view[$0, 1] }) <= outside + tolerance else { return nil }
        func level(_ offsets: ClosedRange<Int>) -> Int? {
            var found: [Int] = []
            for place in places {
                let edge = Int(view.depth(of: line, at: place).rounded())
                for step in offsets where (1..<view.depth).contains(edge + step) {
                    found.append(view[place, edge + step])
                }
            }
            return found.isEmpty ? nil : median(found)
        }
        guard let inside = level(4...12), inside - outside >= 5,
            2 * (inside - outside) >= paper - outside
        else { return nil }
        let step = Double(inside - outside)
        if let after = level(1...2), Double(after - outside) < 0.7 * step { return nil }
        if let before = level(-3...(-2)), Double(before - outside) > 0.35 * step { return nil }
        guard isClean(places, view) else { return nil }
        return EdgeRefiner.Step(lid: outside, paper: inside)
    }

    /// True when the strip is nearly all lid; next to the edge there may be shadow.
    private func isClean(_ places: [Int], _ view: SideView) -> Bool {
        var dirt = 0
        var all = 0
        for place in places {
            let tolerance = max(12, Self.tolerance(lid[place], paper))
            let edge = Int(view.depth(of: line, at: place)) - 3
            guard edge > 1 else { continue }
            for step in 1..<edge where step < view.depth {
                all += 1
                if (view[place, step] - lid[place]).magnitude > tolerance { dirt += 1 }
            }
        }
        return Double(dirt) <= 0.02 * Double(all)
    }
}

/// A picture seen from one of its sides: lines run along the side, and steps go inward.
struct SideView {
    let lines: Int
    let depth: Int
    private let isFar: Bool
    private let levels: LevelMap
    private let origin: Int
    private let lineStride: Int
    private let stepStride: Int

    init(side: Side, levels: LevelMap) {
        let (width, height) = (levels.width, levels.height)
        self.levels = levels
        lines = side.isDown ? height : width
        depth = side.isDown ? width : height
        isFar = side.isFar
        lineStride = side.isDown ? width : 1
        let inward = side.isDown ? 1 : width
        stepStride = side.isFar ? -inward : inward
        origin = side.isFar ? (depth - 1) * inward : 0
    }

    /// The level of the pixel that is `step` pixels away from the side.
    subscript(line: Int, step: Int) -> Int {
        levels[index: origin &+ line &* lineStride &+ step &* stepStride]
    }

    /// The coordinate, across the side, of the near edge of the pixel that is `step` pixels away.
    func across(at step: Int) -> Double {
        Double(isFar ? depth - step : step)
    }

    /// The distance of `edge` from the side on a line.
    func depth(of edge: EdgeLine, at line: Int) -> Double {
        let across = edge.across(at: Double(line) + 0.5)
        return isFar ? Double(depth) - across : across
    }

    /// The level at the border for each line: the median of some lines around it, so that dirt does
    /// not count.
    ///
    /// It uses the second and third pixels, because the outermost is often a scanner's dark line.
    func borderLevels() -> [Int] {
        let raw = (0..<lines).map { (self[$0, 1] + self[$0, 2] + 1) / 2 }
        return raw.indices.map { median(Array(raw[max(0, $0 - 7)..<min(lines, $0 + 8)])) }
    }
}

/// The median of some values.
private func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
