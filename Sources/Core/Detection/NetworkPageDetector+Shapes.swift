import Imaging

extension NetworkPageDetector {
    /// The shapes of cards with round corners (trading cards of two sizes, ID and bank cards,
    /// business cards), as the longer side over the shorter.
    public static let cardShapes = [88 / 63.0, 86 / 59.0, 85.6 / 53.98, 85 / 55.0]

    /// Answers that overlap by more than this have the same edges near them.
    private static let same = 0.93
    /// The maximum distance from a chosen side at which its exact place is searched for, in parts
    /// of the quad's shorter side.
    private static let reach = 0.012
    /// For any shape: how many corners of a card must be round, and along which part of its sides
    /// the picture must have a step: on average, and on each side.
    ///
    /// A clipboard around a page has nearly a card's shape too.
    private static let round = 3
    private static let support = 0.95
    private static let leastSupport = 0.8
    /// A frame around a detection is larger by at least the first factor, and overlaps with it by
    /// at least the second.
    private static let larger = 1.04
    private static let nested = 0.35

    /// The best of the nested frames around a detection, moved onto its edges; nil if the detection
    /// is the best.
    ///
    /// With known ``shapes``, it is the outermost frame that the picture confirms; otherwise it is
    /// a card around the detection, recognized by its round corners.
    ///
    /// - Parameter answers: the results of all runs, with the most certain first.
    func framed(_ answers: [Sighting], in frame: FrameView) -> Quad? {
        guard shapes.isEmpty else { return outermost(of: shapes, about: answers, in: frame)?.quad }
        guard let seen = answers.first?.quad, let card = card(about: answers, in: frame),
            isAround(card, seen)
        else { return nil }
        return card
    }

    /// The card that the picture confirms near one of the answers, on its edges; nil if its sides
    /// or its round corners do not show.
    func card(about answers: [Sighting], in frame: FrameView) -> Quad? {
        guard let (card, supports) = outermost(of: Self.cardShapes, about: answers, in: frame),
            supports.reduce(0, +) >= Self.support * Double(supports.count),
            supports.allSatisfy({ $0 >= Self.leastSupport }),
            RoundCorners(frame: frame).count(of: card) >= Self.round
        else { return nil }
        return card
    }

    /// True if a frame is around a detection, whose outer edge it may be.
    func isAround(_ frame: Quad, _ seen: Quad) -> Bool {
        frame.area >= Self.larger * seen.area && frame.intersectionOverUnion(seen) >= Self.nested
    }

    /// The outermost frame with one of the shapes that edges in the picture confirm, on those
    /// edges, with the parts of its sides that have a step.
    func outermost(
        of shapes: [Double], about answers: [Sighting], in frame: FrameView
    ) -> (quad: Quad, supports: [Double])? {
        outermost(of: shapes, near: answers.map(\.quad), in: frame)
    }

    /// The same near any places, with the most certain first.
    func outermost(
        of shapes: [Double], near quads: [Quad], in frame: FrameView
    ) -> (quad: Quad, supports: [Double])? {
        guard let surest = quads.first else { return nil }
        var starts: [Quad] = []
        for quad in quads
        where starts.allSatisfy({ $0.intersectionOverUnion(quad) < Self.same }) {
            starts.append(quad)
        }
        let search = ShapedFrame(
            shapes: shapes, width: frame.width, height: frame.height, area: surest.area)
        let best = starts.compactMap { start -> ShapedFrame.Choice? in
            guard let (picture, toFrame) = surroundings(of: start, in: frame),
                let place = toFrame.inverse?.apply(start)
            else { return nil }
            let inner = Double(LaidSides.side - 2 * LaidSides.margin)
            let square = Quad(width: 1, height: 1).scaled(x: inner, y: inner)
                .shifted(by: Point(x: Double(LaidSides.margin), y: Double(LaidSides.margin)))
            guard let lay = Homography(from: place, to: square),
                let back = lay.inverse?.then(toFrame)
            else { return nil }
            let laid = picture.warped(
                by: lay, width: LaidSides.side, height: LaidSides.side, fill: Self.beyond)
            return search.best(in: laid, back: back)
        }.max { $0.score < $1.score }
        return best.map { choice in
            let reach = Self.reach * (choice.quad.sides.min() ?? 0)
            let quad = SideRefiner(frame: frame).refined(choice.quad, reach: reach)
            return (quad, choice.supports)
        }
    }
}
