import Imaging

extension NetworkPageDetector {
    /// The sides of the squares in which objects are searched for, as fractions of the root of the
    /// frame's area, and their distance, as a fraction of the side.
    private static let scales = [0.165, 0.234, 0.338, 0.476]
    private static let stride = 0.28
    /// Objects of a known size are searched for in squares with these multiples of their longer
    /// side; the second number is the squares' distance.
    private static let rooms = [1.3, 1.6]
    private static let step = 0.3
    /// Smaller squares than this, in pixels and as a fraction of that root, are not searched.
    private static let smallest = (pixels: 64.0, part: 0.12)
    /// Sizes and proportions within these factors count as equal.
    private static let alike = 0.78...1.28
    private static let shapely = 0.82...1.22
    /// The proportions of objects if none are given.
    private static let usual = 1.4
    /// The minimum number of objects of one size that make a spread.
    private static let fewest = 3
    /// Objects that overlap by more than this are one.
    private static let same = 0.3
    /// The maximum misfit of an object in the spread, which costs as much as a confidence of 1.
    private static let mostMisfit = 0.3
    private static let costly = 0.5
    /// The minimum confidence of an object with the common size, and of any other.
    private static let least = 0.1
    private static let sure = 0.5
    /// The confidence of an object with exactly the common size, of one with nearly that size, and
    /// the maximum for any other: the fractions that were right on generated tables.
    private static let (fitting, near, unfit) = (0.9, 0.75, 0.6)
    private static let nearly = 0.03

    /// Many objects of one size on a table, such as cards, and other objects there; nil for no
    /// spread.
    ///
    /// The common size distinguishes one object from several together, and from a frame within it.
    ///
    /// - Parameter seen: the detections in the whole frame.
    func spread(
        _ frame: FrameView, seen: [Sighting], _ network: PageNetwork
    ) -> [Found]? {
        let root = Double(frame.width * frame.height).squareRoot()
        var seen = seen
        let whole = seen.count
        func search(side: Double, step: Double) {
            guard side >= max(Self.smallest.pixels, Self.smallest.part * root) else { return }
            for part in Self.parts(of: frame, side: side, step: step) {
                seen += wholes(in: part, of: frame, network)
            }
        }
        for scale in Self.scales {
            search(side: scale * root, step: Self.stride * scale * root)
        }
        guard let size = commonSize(of: seen) else { return nil }
        let longer = size * (shapes.first ?? Self.usual).squareRoot()
        for room in Self.rooms { search(side: room * longer, step: Self.step * longer) }
        let fitting = seen.filter { isLike(size, $0.quad) && hasShape($0.quad) }
        let first = Self.distinct(fitting) { $0.raw }
        let sizes = SpreadSizes(first.map { closer($0, in: frame, network)[0].quad })
        let alike = Self.distinct(fitting) { $0.raw - sizes.misfit($0.quad) / Self.costly }
            .compactMap { member($0, of: sizes, in: frame, network) }
        let things = alike.map(\.1.quad)
        let isPrinted = seen.prefix(whole).contains { sheet in
            things.allSatisfy { isOn(sheet.quad, $0) } && isSheet(sheet.quad, things, in: frame)
        }
        guard !isPrinted else { return nil }
        let all = alike + others(seen, beside: alike, in: frame, network)
        return nested(all) { isSheet($0, $1, in: frame) }
    }

    /// True if the objects within a frame are parts of one sheet; never when objects of certain
    /// shapes are searched for.
    func isSheet(_ sheet: Quad, _ things: [Quad], in frame: FrameView) -> Bool {
        shapes.isEmpty && SheetGround(frame: frame).isSheet(sheet, under: things)
    }

    private func isOn(_ sheet: Quad, _ thing: Quad) -> Bool {
        sheet.depth(of: thing.center) > 0 && thing.area < sheet.area
    }

    /// A detection, refined to the edges that fit the sizes best; nil if none fit.
    private func member(
        _ sighting: Sighting, of sizes: SpreadSizes, in frame: FrameView, _ network: PageNetwork
    ) -> Found? {
        let answers = closer(sighting, in: frame, network)
        let own = network.weights.confidence(raw: answers[0].raw, closely: true)
        guard own >= Self.least else { return nil }
        let refined = SideRefiner(frame: frame).refined(answers[0].quad)
        let quads =
            [framed(answers, in: frame), refined].compactMap { $0 } + answers.map(\.quad)
            + [sighting.quad]
        let rated = quads.map { ($0, sizes.misfit($0)) }
        guard let best = rated.min(by: { $0.1 < $1.1 }), best.1 < Self.mostMisfit else {
            return nil
        }
        let confidence =
            best.1 == 0
            ? max(own, Self.fitting)
            : best.1 < Self.nearly ? max(own, Self.near) : min(own, Self.unfit)
        return (sighting, DetectedPage(quad: best.0, confidence: confidence))
    }

    /// Objects of other sizes outside of the spread.
    private func others(
        _ seen: [Sighting], beside spread: [Found], in frame: FrameView, _ network: PageNetwork
    ) -> [Found] {
        let apart = seen.filter { one in
            spread.allSatisfy { $0.1.quad.intersectionOverUnion(one.quad) == 0 }
        }
        return Self.distinct(apart) { $0.raw }.compactMap { one in
            page(one, in: frame, network).flatMap { $0.confidence >= Self.sure ? (one, $0) : nil }
        }
    }

    /// The size that most detections have, as the root of the area in pixels; nil if too few have
    /// the same.
    private func commonSize(of seen: [Sighting]) -> Double? {
        let shaped = seen.filter { hasShape($0.quad) }
        var best: (size: Double, weight: Double)?
        for one in shaped {
            let size = one.quad.area.squareRoot()
            let alike = Self.distinct(shaped.filter { isLike(size, $0.quad) }) { $0.raw }
            guard alike.count >= Self.fewest else { continue }
            // Frames within objects are as many but smaller; groups of objects are larger but
            // fewer.
            let weight = alike.reduce(0) { $0 + $1.raw * $1.quad.area.squareRoot() }
            guard weight > best?.weight ?? 0 else { continue }
            let sizes = alike.map { $0.quad.area.squareRoot() }.sorted()
            best = (sizes[sizes.count / 2], weight)
        }
        return best?.size
    }

    private func isLike(_ size: Double, _ quad: Quad) -> Bool {
        Self.alike.contains(quad.area.squareRoot() / size)
    }

    private func hasShape(_ quad: Quad) -> Bool {
        let ratio = quad.longSide / quad.shortSide
        return shapes.isEmpty || shapes.contains { Self.shapely.contains(ratio / $0) }
    }

    /// The most valuable detections that do not overlap.
    private static func distinct(
        _ sightings: [Sighting], by worth: (Sighting) -> Double
    ) -> [Sighting] {
        var kept: [Sighting] = []
        let rated = sightings.map { ($0, worth($0)) }.sorted { $0.1 > $1.1 }
        for (one, _) in rated
        where kept.allSatisfy({ $0.quad.intersectionOverUnion(one.quad) < same }) {
            kept.append(one)
        }
        return kept
    }
}
