import Imaging

extension NetworkPageDetector {
    /// The margins of the closer pictures around the page, as fractions of its width and height.
    ///
    /// The widest contains parts of the page that were missed; the narrowest contains little but
    /// the page.
    private static let surroundings = [0.5, 0.3, 0.15]
    /// A part of the frame that is larger than this shows the network nothing new.
    private static let most = 0.95
    /// A part with fewer pixels than this in a side shows nothing more.
    private static let least = 48
    /// The minimum overlap of two answers about the same page.
    static let agreement = 0.6
    /// A page whose new place overlaps with the old one by less than this is examined again, around
    /// the new place.
    private static let moved = 0.97

    /// Examines the page again with little else around it, so that it is larger in the network's
    /// picture, and turned upright.
    ///
    /// The results, with the most certain first; at least one.
    func closer(
        _ sighting: Sighting, in frame: FrameView, _ network: PageNetwork
    ) -> [Sighting] {
        func looks(_ sighting: Sighting) -> [Sighting] {
            Self.surroundings.compactMap { again(sighting, with: $0, in: frame, network) }
        }
        var answers = looks(sighting)
        var best = answers.surest ?? sighting
        if best.quad.intersectionOverUnion(sighting.quad) < Self.moved {
            answers += looks(sighting.with(quad: best.quad, raw: sighting.raw))
            best = answers.surest ?? best
        }
        answers += upright(sighting.with(quad: best.quad, raw: sighting.raw), in: frame, network)
        let surest = answers.surest ?? sighting
        return [surest] + answers.filter { $0.quad != surest.quad } + [sighting]
    }

    /// The page in a part of the frame; nil when that part shows nothing new.
    ///
    /// If both answers are about the same page, the result has the second one's corners, and the
    /// mean of both raw confidences. Otherwise it has the first one's corners, and half its
    /// confidence.
    private func again(
        _ sighting: Sighting, with surroundings: Double, in frame: FrameView,
        _ network: PageNetwork
    ) -> Sighting? {
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        guard let page = sighting.quad.boundingBox(in: whole) else { return nil }
        let across = Int(Double(page.width) * surroundings)
        let down = Int(Double(page.height) * surroundings)
        let wide = PixelRect(
            x: page.x - across, y: page.y - down, width: page.width + 2 * across,
            height: page.height + 2 * down)
        guard let area = wide.intersection(whole), min(area.width, area.height) >= Self.least,
            Double(area.width * area.height) <= Self.most * Double(frame.width * frame.height)
        else { return nil }
        let part = frame.part(area)
        let seen = sightings(in: network.look(at: part), part, network.weights)
            .map { $0.moved(x: Double(area.x), y: Double(area.y)) }
        func overlap(_ other: Sighting) -> Double {
            other.quad.intersectionOverUnion(sighting.quad)
        }
        guard let best = seen.max(by: { overlap($0) < overlap($1) }),
            overlap(best) >= Self.agreement
        else { return sighting.with(quad: sighting.quad, raw: sighting.raw / 2) }
        return sighting.with(quad: best.quad, raw: (sighting.raw + best.raw) / 2)
    }
}

extension [NetworkPageDetector.Sighting] {
    /// The element with the highest confidence, the first among equals; nil for none.
    fileprivate var surest: Element? {
        self.dropFirst().reduce(first) { best, next in
            best.map { next.raw > $0.raw ? next : $0 }
        }
    }
}

extension NetworkPageDetector.Sighting {
    func with(quad: Quad, raw: Double) -> Self {
        Self(quad: quad, raw: raw, share: share, distance: distance)
    }

    fileprivate func moved(x: Double, y: Double) -> Self {
        func moved(_ point: Point) -> Point { Point(x: point.x + x, y: point.y + y) }
        return with(
            quad: Quad(
                topLeft: moved(quad.topLeft), topRight: moved(quad.topRight),
                bottomRight: moved(quad.bottomRight), bottomLeft: moved(quad.bottomLeft)),
            raw: raw)
    }
}
