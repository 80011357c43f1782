import Imaging

extension NetworkPageDetector {
    /// A page, and its first detection.
    typealias Found = (Sighting, DetectedPage)

    /// The numbers of parts into which width and height are divided, tried in turn; parts overlap
    /// by half.
    private static let divisions = [2, 3]
    /// The numbers of parts that are also tried if fewer than this many pages are found.
    private static let finest = 4
    private static let few = 2
    /// The maximum number of pages in one part.
    private static let most = 8
    /// A page counts as cut off if it is this near to a part's edge inside the frame, as a fraction
    /// of the part's side.
    private static let rim = 0.015
    /// The minimum confidence of a page that only a part shows, and that of one with the size of
    /// others.
    private static let least = 0.3
    private static let sure = 0.5
    /// For pages of that size, squares are searched whose side is this many times the page's longer
    /// side; the second number is their distance, as a fraction of a side.
    private static let room = 1.45
    private static let step = 0.4
    /// The minimum length of the longer side for this search: in pixels, and as a fraction of the
    /// frame's.
    private static let smallest = 60.0
    private static let largest = 0.45
    /// Pages that overlap by more than this are one; a page with this part of its area inside
    /// another page is an object on it.
    private static let same = 0.3
    private static let within = 0.75

    /// The pages in overlapping parts of a frame, except the known ones.
    ///
    /// Objects on a table mostly have one size. So if some are found, parts with room for only one
    /// are searched too.
    func parted(
        _ frame: FrameView, beside known: [DetectedPage], _ network: PageNetwork
    ) -> [Found] {
        let parts = Self.divisions.flatMap { Self.parts(of: frame, $0) }
        var found = certain(parts, of: frame, beside: known, network)
        if (known + found.map(\.1)).count(where: { $0.confidence >= Self.sure }) < Self.few {
            let small = Self.parts(of: frame, Self.finest)
            found += certain(small, of: frame, beside: known + found.map(\.1), network)
        }
        let sides = (known + found.map(\.1)).filter { $0.confidence >= Self.sure }
            .compactMap { $0.quad.sides.max() }.sorted()
        guard !sides.isEmpty else { return found }
        let side = sides[sides.count / 2]
        let longest = Double(max(frame.width, frame.height))
        if side >= Self.smallest, side < Self.largest * longest {
            let closer = Self.parts(of: frame, side: Self.room * side, step: Self.step * side)
            found += certain(closer, of: frame, beside: known + found.map(\.1), network)
        }
        return found
    }

    /// The pages that are complete in some part of a frame and that a closer look confirms.
    private func certain(
        _ parts: [PixelRect], of frame: FrameView, beside known: [DetectedPage],
        _ network: PageNetwork
    ) -> [Found] {
        var kept: [Sighting] = []
        let seen = parts.flatMap { wholes(in: $0, of: frame, network) }
        for one in seen.sorted(by: { $0.raw > $1.raw })
        where kept.allSatisfy({ $0.quad.intersectionOverUnion(one.quad) < 0.6 })
            && known.allSatisfy({ $0.quad.intersectionOverUnion(one.quad) < 0.8 })
        {
            kept.append(one)
        }
        return kept.compactMap { one in
            page(one, in: frame, network).flatMap { $0.confidence >= Self.least ? (one, $0) : nil }
        }
    }

    /// Overlapping parts that cover a frame.
    private static func parts(of frame: FrameView, _ division: Int) -> [PixelRect] {
        let (width, height) = (frame.width / division, frame.height / division)
        guard min(width, height) >= 64 else { return [] }
        let steps = 2 * division - 1
        return (0..<steps * steps).map { at in
            PixelRect(
                x: (frame.width - width) * (at % steps) / (steps - 1),
                y: (frame.height - height) * (at / steps) / (steps - 1), width: width,
                height: height)
        }
    }

    /// Squares with this side that cover a frame, at this distance from each other.
    static func parts(of frame: FrameView, side: Double, step: Double) -> [PixelRect] {
        let side = Int(side)
        func starts(_ length: Int) -> [Int] {
            guard length > side else { return [0] }
            let count = Int((Double(length - side) / step).rounded(.up))
            return (0...count).map { (length - side) * $0 / max(1, count) }
        }
        return starts(frame.height).flatMap { y in
            starts(frame.width).map { x in
                PixelRect(
                    x: x, y: y, width: min(side, frame.width), height: min(side, frame.height))
            }
        }
    }

    /// The complete pages in a part, in pixels of the frame.
    func wholes(
        in area: PixelRect, of frame: FrameView, _ network: PageNetwork
    ) -> [Sighting] {
        let part = frame.part(area)
        var once = self
        once.looksClosely = false
        return once.all(in: part, limit: Self.most, network).compactMap { sighting in
            let quad = sighting.quad.shifted(by: Point(x: Double(area.x), y: Double(area.y)))
            let slack = Self.rim * Double(max(area.width, area.height))
            func isCut(_ place: Double, _ start: Int, _ length: Int, of whole: Int) -> Bool {
                start > 0 && place < Double(start) + slack
                    || start + length < whole && place > Double(start + length) - slack
            }
            let cut = quad.corners.contains {
                isCut($0.x, area.x, area.width, of: frame.width)
                    || isCut($0.y, area.y, area.height, of: frame.height)
            }
            let size = Double(frame.width * frame.height)
            let share = quad.area / size
            guard !cut, share >= minimumArea / 8 else { return nil }
            let middle = quad.corners.reduce(Point(x: 0, y: 0)) {
                Point(x: $0.x + $1.x / 4, y: $0.y + $1.y / 4)
            }
            let (x, y) = (
                middle.x / Double(frame.width) - 0.5, middle.y / Double(frame.height) - 0.5
            )
            return Sighting(
                quad: quad, raw: sighting.raw, share: share,
                distance: (2 * (x * x + y * y)).squareRoot())
        }
    }

    /// The pages without objects that lie on another page, and without groups of pages that were
    /// mistaken for one.
    ///
    /// - Parameters:
    ///   - all: all detections.
    ///   - isSheet: whether several objects within a frame are parts of one sheet.
    func nested(_ all: [Found], isSheet: (Quad, [Quad]) -> Bool) -> [Found] {
        var kept: [Found] = []
        for one in all.sorted(by: { $0.1.confidence > $1.1.confidence })
        where kept.allSatisfy({ $0.1.quad.intersectionOverUnion(one.1.quad) < Self.same }) {
            kept.append(one)
        }
        func holds(_ outer: DetectedPage, _ inner: DetectedPage) -> Bool {
            guard inner.quad.area < outer.quad.area else { return false }
            let overlap = outer.quad.intersectionOverUnion(inner.quad)
            // The area that two quads share, from their intersection over union.
            let shared = overlap / (1 + overlap) * (outer.quad.area + inner.quad.area)
            return shared >= Self.within * inner.quad.area
        }
        let groups = kept.filter { outer in
            let things = kept.map(\.1).filter { holds(outer.1, $0) && $0.confidence >= Self.least }
            return things.count >= 3 && !isSheet(outer.1.quad, things.map(\.quad))
        }
        let single = kept.filter { one in !groups.contains { $0.1 == one.1 } }
        return single.filter { inner in !single.contains { holds($0.1, inner.1) } }
    }
}
