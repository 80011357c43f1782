import Imaging

/// Finds the Patch T, a patch code that separates the documents of a stack: four black bars,
/// narrow, wide, narrow, wide, at least 0.8 × 0.75 inches.
///
/// After Kodak, "Patch Code Information for Kodak Scanners" (A-61599): narrow bars and spaces are
/// 0.08 inches wide, wide bars 0.2 inches, and the paper around them 0.25 inches. A sheet that is
/// fed upside down shows the bars in the order of another patch, which also counts as a Patch T.
enum PatchCode {
    /// The longer side, in pixels, of the picture that is searched.
    private static let longSide = 1200
    /// The distance of scan lines in pixels.
    private static let step = 2
    /// The minimum number of pixels of a narrow bar.
    private static let leastUnit = 3.0
    /// The maximum fraction of the longer side that all bars together may cover: 20 mm fit on a
    /// sheet of any usual size.
    private static let mostShare = 0.17
    /// The minimum length of the bars, relative to the width of all of them together.
    private static let leastLength = 0.9

    /// A patch on one scan line: from its first dark pixel to the light one after it.
    private struct Crossing {
        var line: Int
        var start: Int
        var end: Int
    }

    /// The corners of the first patch in a gray picture, in pixels; nil when there is none.
    static func find(in gray: Raster) -> Quad? {
        let small = gray.thumbnail(longSide: longSide)
        let scale = Double(gray.width) / Double(small.width)
        let counts = small.histogram
        var seen = 0
        let paper = counts.firstIndex {
            seen += $0
            return seen * 10 >= small.width * small.height * 9
        }
        let ink = (paper ?? 255) / 2
        return small.withBytes { bytes in
            for isUpright in [true, false] {
                let (lines, length) =
                    isUpright ? (small.width, small.height) : (small.height, small.width)
                let (across, along) = isUpright ? (1, small.stride) : (small.stride, 1)
                var crossings: [Crossing] = []
                for line in stride(from: 0, to: lines, by: step) {
                    let runs = runs(length) { Int(bytes[line * across + $0 * along]) <= ink }
                    crossings += patches(runs, length, longest: longest(small)).map {
                        Crossing(line: line, start: $0.lowerBound, end: $0.upperBound)
                    }
                }
                if let (first, last) = bars(crossings) {
                    return corners(first, last, isUpright).scaled(x: scale, y: scale)
                }
            }
            return nil
        }
    }

    private static func longest(_ picture: Raster) -> Double {
        mostShare * Double(max(picture.width, picture.height))
    }

    /// The positions where dark and light change, beginning with light at 0.
    private static func runs(_ length: Int, _ isDark: (Int) -> Bool) -> [Int] {
        var starts = [0]
        var wasDark = false
        for at in 0..<length where isDark(at) != wasDark {
            wasDark.toggle()
            starts.append(at)
        }
        starts.append(length)
        return starts
    }

    /// The parts of a scan line that look like a Patch T, from either side.
    private static func patches(_ starts: [Int], _ length: Int, longest: Double) -> [Range<Int>] {
        var found: [Range<Int>] = []
        // Dark runs have odd numbers; a light run must follow the last bar.
        for first in stride(from: 1, to: starts.count - 8, by: 2) {
            let (start, end) = (starts[first], starts[first + 7])
            // The unit is a tenth of the patch: two narrow bars, three narrow spaces, and two bars
            // that are two and a half times as wide.
            let unit = Double(end - start) / 10
            guard unit >= leastUnit, Double(end - start) <= longest,
                Double(start - starts[first - 1]) >= 2 * unit,
                Double(starts[first + 8] - end) >= 2 * unit
            else { continue }
            let widths = (0..<7).map { Double(starts[first + $0 + 1] - starts[first + $0]) / unit }
            let isWide = widths.map { $0 > 1.75 }
            let isPatch =
                isWide == [false, false, true, false, false, false, true]
                || isWide == [true, false, false, false, true, false, false]
            guard isPatch,
                widths.allSatisfy({ (0.5...1.5).contains($0) || (1.9...3.1).contains($0) })
            else { continue }
            found.append(start..<end)
        }
        return found
    }

    /// The first and the last crossing of a chain on neighboring lines that is as long as a bar;
    /// nil when there is none.
    private static func bars(_ crossings: [Crossing]) -> (Crossing, Crossing)? {
        var open: [(first: Crossing, last: Crossing, count: Int)] = []
        for crossing in crossings {
            let before = open.firstIndex { chain in
                let gap = crossing.line - chain.last.line
                // A sheet may be skewed by an eighth of its side.
                let reach = 2 + gap / 6
                return gap > 0 && gap <= 3 * step
                    && (crossing.start - chain.last.start).magnitude <= reach
                    && (crossing.end - chain.last.end).magnitude <= reach
            }
            guard let before else {
                open.append((crossing, crossing, 1))
                continue
            }
            open[before].last = crossing
            open[before].count += 1
        }
        let long = open.first { chain in
            let length = chain.last.line - chain.first.line
            let width = chain.first.end - chain.first.start
            return Double(length) >= leastLength * Double(width)
                && chain.count * step * 5 >= length * 4
        }
        return long.map { ($0.first, $0.last) }
    }

    /// The patch's corners, clockwise from the top left.
    private static func corners(_ first: Crossing, _ last: Crossing, _ isUpright: Bool) -> Quad {
        func point(_ line: Int, _ along: Int) -> Point {
            isUpright
                ? Point(x: Double(line), y: Double(along))
                : Point(x: Double(along), y: Double(line))
        }
        let near = (point(first.line, first.start), point(first.line, first.end))
        let far = (point(last.line, last.start), point(last.line, last.end))
        return isUpright
            ? Quad(topLeft: near.0, topRight: far.0, bottomRight: far.1, bottomLeft: near.1)
            : Quad(topLeft: near.0, topRight: near.1, bottomRight: far.1, bottomLeft: far.0)
    }
}
