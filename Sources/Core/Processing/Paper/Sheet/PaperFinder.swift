import Imaging

/// Finds the sheet in a scan: where the scanner's lid ends and the paper begins.
///
/// The lid may have any level that is frequent at the picture's border. From each side of the
/// picture, in every row and column, the lid is followed inward until it ends, and a straight line
/// is fitted through these places. A result counts only if the four lines are clear along nearly
/// all of their length, the paper differs from the lid, and there is only dirt outside. So a page's
/// own frames, columns and pictures are not mistaken for the paper's edges: in doubt the result is
/// nil, so that no page is cut.
///
/// If this finds no sheet, lid along only one to three sides is looked for: see ``LidStrips``.
struct PaperFinder {
    /// A sheet in a picture.
    struct Sheet {
        /// The sheet's corners in the picture, clockwise from its top left.
        var quad: Quad
        /// The paper's level, 0…255.
        var paper: Int
    }

    /// The longer side, in pixels, of the picture that is searched.
    private static let workSize = 480

    private let gray: Raster
    /// The reduced picture; nil when it is too small to search.
    private let levels: LevelMap?
    /// The 90th percentile of the levels, 0…255: the paper's level, unless there is almost no paper
    /// in the picture.
    private let bright: Int

    /// A search of `gray`, an 8-bit gray picture.
    init(_ gray: Raster) {
        self.gray = gray
        let small = gray.thumbnail(longSide: Self.workSize)
        let isLarge =
            gray.format == .gray8 && min(gray.width, gray.height) >= 64
            && min(small.width, small.height) >= 32
        levels = isLarge ? LevelMap(small) : nil
        bright = levels?.level(above: 0.9) ?? 255
    }

    /// True when nearly all of the picture's border is as bright as the paper, as with a page that
    /// fills the picture.
    var borderIsPaper: Bool { levels?.borderShare(above: bright - 32) ?? 0 >= 0.9 }

    /// True when most of the picture's border is clearly darker than the paper, as a desk around a
    /// photographed page is.
    var borderIsDark: Bool { levels?.borderShare(above: bright - 32) ?? 1 <= 0.4 }

    /// The sheet; nil when the paper fills the picture, or its edges are uncertain.
    ///
    /// - Parameter resolution: dots per inch of the picture; nil when its scale is not known.
    func sheet(resolution: Double?) -> Sheet? {
        guard let levels else { return nil }
        // Light that decreases along the border leaves no single level to follow. Such a dark
        // border may also be a desk under a lamp, so only a sheet seen straight from above counts.
        if let evened = levels.borderEvened(),
            let sheet = wholeSheet(evened, isEvened: true, resolution),
            sheet.quad.leanOfRectangle != nil
        {
            return sheet
        }
        let whole = wholeSheet(levels, isEvened: false, resolution)
        if let whole, whole.quad.leanOfRectangle != nil { return whole }
        return sheetWithLidAtSomeSides(levels, resolution) ?? whole
    }

    private func wholeSheet(
        _ levels: LevelMap, isEvened: Bool, _ resolution: Double?
    ) -> Sheet? {
        let evidence = LidEvidence(
            width: levels.width, height: levels.height,
            resolution: resolution.map { $0 * Double(levels.width) / Double(gray.width) })
        for lid in levels.borderLevels() {
            for tolerance in [24, 10, 5] {
                guard let found = Self.search(levels, lid: lid, tolerance: tolerance),
                    evidence.holds(for: found.quad)
                else { continue }
                let step = EdgeRefiner.Step(lid: lid, paper: found.paper)
                let sides: [EdgeRefiner.Step?] = Array(repeating: step, count: 4)
                let quad = refined(found.quad, sides, isEvened: isEvened)
                return Sheet(quad: quad, paper: found.paper)
            }
        }
        return nil
    }

    private func sheetWithLidAtSomeSides(_ levels: LevelMap, _ resolution: Double?) -> Sheet? {
        let share = Double(levels.width) / Double(gray.width)
        let strips = LidStrips(
            levels: levels, paper: bright, resolution: resolution.map { $0 * share })
        guard let found = strips.sheet() else { return nil }
        let steps = found.sides.map { side in
            side.map { EdgeRefiner.Step(lid: $0.lid, paper: $0.paper) }
        }
        return Sheet(quad: refined(found.quad, steps, isEvened: false), paper: bright)
    }

    /// A quad from the reduced picture, refined at full size to a fraction of a pixel.
    ///
    /// - Parameter isEvened: true if the levels of `sides` are from a picture whose light was
    ///   evened.
    private func refined(
        _ quad: Quad, _ sides: [EdgeRefiner.Step?], isEvened: Bool
    ) -> Quad {
        guard let levels else { return quad }
        let scale = Double(gray.width) / Double(levels.width)
        let scaled = quad.scaled(x: scale, y: Double(gray.height) / Double(levels.height))
        let map = LevelMap(gray)
        let lit = isEvened ? map.borderEvened() ?? map : map
        return EdgeRefiner(gray: lit, sides: sides).refined(scaled, reach: 2.5 * scale)
    }

    private static func search(_ levels: LevelMap, lid: Int, tolerance: Int) -> Sheet? {
        let mask = LidMask(levels, lid: lid, tolerance: tolerance)
        var lines: [EdgeLine] = []
        var samples: [[EdgeLine.Sample]] = []
        for side in Side.allCases {
            let seen = mask.edge(from: side)
            guard let line = EdgeLine.fitted(to: seen, tolerance: 1.2) else { return nil }
            lines.append(line)
            samples.append(seen)
        }
        let (left, top, right, bottom) = (lines[0], lines[1], lines[2], lines[3])
        let quad = Quad(
            topLeft: .meeting(left, top), topRight: .meeting(right, top),
            bottomRight: .meeting(right, bottom), bottomLeft: .meeting(left, bottom))
        guard quad.isPlausible(inPictureOf: levels.width, by: levels.height) else { return nil }
        for (index, side) in Side.allCases.enumerated() {
            let range = side.range(of: quad)
            guard
                support(samples[index], of: lines[index], in: range) >= 0.8
            else { return nil }
        }
        let inside = levels.median(inside: quad)
        guard (inside - lid).magnitude > tolerance + 2 else { return nil }
        // A sheet darker than the lid may also be a picture on a page with text around it.
        let dirtAllowed = inside > lid ? 0.08 : 0.002
        guard mask.dirt(outside: quad) <= dirtAllowed else { return nil }
        return Sheet(quad: quad, paper: inside)
    }

    /// The fraction of the places along a side where the edge is on the line.
    private static func support(
        _ samples: [EdgeLine.Sample], of line: EdgeLine, in range: ClosedRange<Double>
    ) -> Double {
        let margin = 0.03 * (range.upperBound - range.lowerBound)
        let inner = (range.lowerBound + margin)...(range.upperBound - margin)
        let count = samples.count { inner.contains($0.along) && line.fits($0, 2) }
        return Double(count) / max(1, inner.upperBound - inner.lowerBound)
    }
}

/// A side of the picture from which the lid is followed.
enum Side: CaseIterable {
    case left, top, right, bottom

    /// True for the sides that run down the picture.
    var isDown: Bool { self == .left || self == .right }

    /// True for the sides far from the picture's origin.
    var isFar: Bool { self == .right || self == .bottom }

    /// The part of the picture's height (left, right) or width (top, bottom) that the side of
    /// `quad` takes.
    func range(of quad: Quad) -> ClosedRange<Double> {
        let (a, b) =
            switch self {
            case .left: (quad.topLeft.y, quad.bottomLeft.y)
            case .top: (quad.topLeft.x, quad.topRight.x)
            case .right: (quad.topRight.y, quad.bottomRight.y)
            case .bottom: (quad.bottomLeft.x, quad.bottomRight.x)
            }
        return min(a, b)...max(a, b)
    }
}

extension Point {
    fileprivate static func meeting(_ down: EdgeLine, _ across: EdgeLine) -> Point {
        EdgeLine.meeting(down: down, across: across)
    }
}

extension Quad {
    /// True for a possible sheet: convex, within the picture, and neither tiny nor all of it.
    fileprivate func isPlausible(inPictureOf width: Int, by height: Int) -> Bool {
        let (width, height) = (Double(width), Double(height))
        let slack = 0.02 * max(width, height)
        let isInside = corners.allSatisfy {
            $0.x >= -slack && $0.y >= -slack && $0.x <= width + slack && $0.y <= height + slack
        }
        return isInside && isConvex && (0.03...0.985).contains(area / (width * height))
    }
}
