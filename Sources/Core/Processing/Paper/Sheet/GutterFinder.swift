import Imaging

/// Finds the fold between two facing pages: the dark valley of its shadow, or else the widest strip
/// without ink near the middle.
struct GutterFinder {
    /// The place of the fold, and the depth of its shadow.
    struct Gutter {
        /// The part of the width to the left of the fold, 0…1.
        var place: Double
        /// The difference in brightness between the paper beside the fold and the fold, 0…1; 0 for
        /// a strip without ink.
        var shadow: Double
    }

    /// The fold in `gray`, an 8-bit gray picture; nil when nothing near the middle looks like a
    /// fold.
    static func gutter(in gray: Raster) -> Gutter? {
        let small = gray.resized(
            to: min(gray.width, 600), min(gray.height, 400), filter: .area)
        let (width, height) = (small.width, small.height)
        guard width >= 60, height >= 20 else { return nil }
        // A column's paper has the level of its 70th percentile: letters do not darken it, but a
        // shadow does.
        var paper: [Double] = []
        var ink: [Double] = []
        small.withBytes { bytes in
            for x in 0..<width {
                var levels = (0..<height).map { Int(bytes[$0 * small.stride + x]) }
                let rough = zip(levels, levels.dropFirst()).reduce(0) {
                    $0 + Int(($1.0 - $1.1).magnitude)
                }
                levels.sort()
                paper.append(Double(levels[height * 7 / 10]))
                ink.append(Double(rough) / Double(height))
            }
        }
        let middle = width * 35 / 100..<width * 65 / 100
        if let valley = middle.min(by: { paper[$0] < paper[$1] }) {
            let reach = width / 10
            let beside = min(
                paper[max(0, valley - reach)..<valley].max() ?? 0,
                paper[valley + 1..<min(width, valley + reach + 1)].max() ?? 0)
            let depth = (beside - paper[valley]) / max(1, beside)
            if depth > 0.06 {
                // The middle of the valley's floor is the fold.
                let floor = paper[valley] + 0.15 * (beside - paper[valley])
                let flat = middle.filter {
                    paper[$0] <= floor && ($0 - valley).magnitude <= width / 50
                }
                let center = Double(flat.reduce(0, +)) / Double(max(1, flat.count)) + 0.5
                return Gutter(place: center / Double(width), shadow: depth)
            }
        }
        return strip(in: ink, of: middle).map { Gutter(place: $0 / Double(width), shadow: 0) }
    }

    /// The middle of the widest run of columns without ink.
    private static func strip(in ink: [Double], of middle: Range<Int>) -> Double? {
        let limit = max(1.5, (ink.max() ?? 0) * 0.08)
        var best: Range<Int>?
        var start: Int?
        for x in middle.lowerBound...middle.upperBound {
            if x < middle.upperBound, ink[x] <= limit {
                start = start ?? x
            } else if let begun = start {
                if x - begun > best?.count ?? 0 { best = begun..<x }
                start = nil
            }
        }
        guard let best, best.count * 100 >= ink.count * 2 else { return nil }
        return Double(best.lowerBound + best.upperBound) / 2
    }
}
