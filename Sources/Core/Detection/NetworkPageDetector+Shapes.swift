import Imaging

extension NetworkPageDetector {
    /// Answers that overlap by more than this have the same edges near them.
    private static let same = 0.93
    /// How far from a chosen side its exact place is looked for, in parts of the quad's shorter
    /// side.
    private static let reach = 0.012

    /// The frame of one of the ``shapes`` around what was seen, on its edges; nil if none is
    /// supported, or any shape will do.
    ///
    /// - Parameter answers: what each look showed, the surest first.
    func shaped(_ answers: [Sighting], in frame: FrameView) -> Quad? {
        guard !shapes.isEmpty, let surest = answers.first else { return nil }
        var starts: [Quad] = []
        for answer in answers
        where starts.allSatisfy({ $0.intersectionOverUnion(answer.quad) < Self.same }) {
            starts.append(answer.quad)
        }
        let search = ShapedFrame(
            shapes: shapes, width: frame.width, height: frame.height, area: surest.quad.area)
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
            return SideRefiner(frame: frame).refined(choice.quad, reach: reach)
        }
    }
}
