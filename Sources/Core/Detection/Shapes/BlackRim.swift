import Imaging

/// The black rim that films, scans and corrected lenses leave around a picture; it is not the edge
/// of a page.
///
/// The picture inside a rim fills the frame, and may not be a page. A rim is darker than any object
/// in front of a camera, begins at the frame's border everywhere along a side, and has about the
/// same width along all of it.
struct BlackRim {
    let frame: FrameView

    /// The maximum level in a rim, and the maximum of its average.
    private static let brightest: Float = 22
    private static let darkness: Float = 8
    /// The widest rim, in parts of the frame's side across it.
    private static let widest = 0.12
    /// The maximum amount by which a rim's width varies along a side, in the same parts: corrected
    /// lenses leave arcs.
    private static let bow = 0.03
    /// The number of places along a side, and how many of them may lack the rim, because of letters
    /// or a dark picture.
    private static let places = 96
    private static let missing = 0.06
    /// The maximum number of places at which the area next to a rim may be as dark as the rim.
    private static let dark = 0.4
    /// The pixels by which compression blurs a rim's edge.
    private static let smear = 3

    /// The part of the frame within its rims; nil when there is no rim.
    var inner: PixelRect? {
        let sides = (0..<4).map { width(ofSide: $0) }
        guard sides.contains(where: { $0 > 0 }) else { return nil }
        let (top, right, bottom, left) = (sides[0], sides[1], sides[2], sides[3])
        let rect = PixelRect(
            x: left, y: top, width: frame.width - left - right, height: frame.height - top - bottom)
        return rect.width >= 32 && rect.height >= 32 ? rect : nil
    }

    /// The pixels to cut at the top, right, bottom or left.
    private func width(ofSide side: Int) -> Int {
        let isLevel = side % 2 == 0
        let (along, across) =
            isLevel ? (frame.width, frame.height) : (frame.height, frame.width)
        let most = Int(Self.widest * Double(across))
        guard most > Self.smear else { return 0 }
        func luma(_ at: Int, _ depth: Int) -> Float {
            switch side {
            case 0: frame.luma(at, depth)
            case 1: frame.luma(frame.width - 1 - depth, at)
            case 2: frame.luma(at, frame.height - 1 - depth)
            default: frame.luma(depth, at)
            }
        }
        var widths: [Int] = []
        var (sum, count): (Float, Float) = (0, 0)
        for place in 0..<Self.places {
            let at = (2 * place + 1) * along / (2 * Self.places)
            var depth = 0
            while depth <= most, luma(at, depth) <= Self.brightest { depth += 1 }
            for inside in 0..<max(0, min(depth, most) - Self.smear) {
                sum += luma(at, inside)
                count += 1
            }
            widths.append(depth)
        }
        // Places on the rims of the two other sides are black all the way.
        let ended = widths.filter { $0 <= most }.sorted()
        let missed = ended.prefix { $0 == 0 }.count
        guard Double(missed) <= Self.missing * Double(Self.places),
            Double(Self.places - ended.count) <= Self.dark * Double(Self.places)
        else { return 0 }
        let seen = ended.dropFirst(missed)
        guard let (low, high) = Self.spread(of: Array(seen)), high >= 2,
            Double(high - low) <= max(4, Self.bow * Double(across)),
            count == 0 || sum / count <= Self.darkness
        else { return 0 }
        return high + Self.smear
    }

    /// The range of most widths: from the tenth percentile to the ninetieth.
    private static func spread(of widths: [Int]) -> (Int, Int)? {
        guard !widths.isEmpty else { return nil }
        return (widths[widths.count / 10], widths[widths.count * 9 / 10])
    }
}
