import Imaging

extension NetworkPageDetector {
    /// The squares in which things are searched for, as fractions of the root of the frame's area,
    /// and how far apart they are, as a fraction of their own.
    private static let scales = [0.165, 0.234, 0.338, 0.476]
    private static let stride = 0.28
    /// Things of a known size are searched for in squares of these multiples of their longer side,
    /// which are this fraction of it apart.
    private static let rooms = [1.3, 1.6]
    private static let step = 0.3
    /// Squares smaller than this, in pixels and as a fraction of that root, are not worth a look.
    private static let smallest = (pixels: 64.0, part: 0.12)
    /// Sizes and proportions within these factors are alike.
    private static let alike = 0.78...1.28
    private static let shapely = 0.82...1.22
    /// The proportions of things when none are named.
    private static let usual = 1.4
    /// Fewer things of one size are no spread.
    private static let fewest = 3
    /// Things that overlap by more than this are the same.
    private static let same = 0.3
    /// Misfits of more than this are no things of the spread, and this misfit costs as much as a
    /// confidence of 1.
    private static let mostMisfit = 0.3
    private static let costly = 0.5
    /// The least confidence of something of the size of the others, and of something else.
    private static let least = 0.1
    private static let sure = 0.5
    /// The confidence of what has exactly the others' size, of what nearly has, and the most of
    /// what has not: the shares that were right on generated tables.
    private static let (fitting, near, unfit) = (0.9, 0.75, 0.6)
    private static let nearly = 0.03

    /// Many things of one size on a table, such as cards, and what else lies there; nil where there
    /// are none.
    ///
    /// Their common size tells a thing from several together, and from a frame within one.
    ///
    /// - Parameter seen: what the network sees in the whole frame.
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

    /// Whether what lies within a frame is a part of the sheet there; never when things of certain
    /// shapes are looked for.
    func isSheet(_ sheet: Quad, _ things: [Quad], in frame: FrameView) -> Bool {
        shapes.isEmpty && SheetGround(frame: frame).isSheet(sheet, under: things)
    }

    private func isOn(_ sheet: Quad, _ thing: Quad) -> Bool {
        sheet.depth(of: thing.center) > 0 && thing.area < sheet.area
    }

    /// What the network saw, refined to the edges that fit the sizes best; nil where none do.
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

    /// Things of other sizes that lie apart from those of the spread.
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

    /// The size, the root of the area in pixels, that most of what is seen has; nil where too few
    /// are alike.
    private func commonSize(of seen: [Sighting]) -> Double? {
        let shaped = seen.filter { hasShape($0.quad) }
        var best: (size: Double, weight: Double)?
        for one in shaped {
            let size = one.quad.area.squareRoot()
            let alike = Self.distinct(shaped.filter { isLike(size, $0.quad) }) { $0.raw }
            guard alike.count >= Self.fewest else { continue }
            // Frames within things are smaller but as many; groups of things are larger but fewer.
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

    /// Those of the highest worth that do not overlap.
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
