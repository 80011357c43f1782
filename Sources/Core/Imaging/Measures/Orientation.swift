import CLeptonica

/// The orientation of a page.
public struct OrientationEstimate: Hashable, Sendable {
    /// The result of the measurement.
    public enum Answer: Hashable, Sendable {
        /// The page is the right way up.
        case upright
        /// The turn after which the page is the right way up.
        case turn(QuarterTurn)
        /// There is too little text to decide.
        case unknown
    }

    /// The result.
    public let answer: Answer
    /// The confidence: by how many standard deviations the ascenders outnumber the descenders; 0
    /// when unknown, above 8 otherwise.
    public let confidence: Double

    /// The turn that makes the page upright; nil when it is upright already, or its orientation is
    /// unknown.
    public var turn: QuarterTurn? {
        if case .turn(let turn) = answer { turn } else { nil }
    }
}

extension PageSketch {
    /// The page's orientation, from the letters that rise above and hang below their lines.
    ///
    /// It works for Latin and other scripts with more ascenders than descenders, on pages within
    /// about 2° of level, with leptonica's `pixOrientDetect` and `makeOrientDecision` (Bloomberg,
    /// as for `skew()`). Pages with few words, in capitals or without text are `unknown`, because
    /// the result would be a guess.
    public func uprightTurn() -> OrientationEstimate {
        let unknown = OrientationEstimate(answer: .unknown, confidence: 0)
        guard image.width >= 64, image.height >= 64, let source = try? PixHandle(image) else {
            return unknown
        }
        var up: Float = 0
        var left: Float = 0
        var orientation: Int32 = 0
        guard pixOrientDetect(source.pointer, &up, &left, 0, 0) == 0,
            makeOrientDecision(up, left, 0, 0, &orientation, 0) == 0
        else { return unknown }
        let confidence = Double(max(up.magnitude, left.magnitude))
        return switch Int(orientation) {
        case L_TEXT_ORIENT_UP: OrientationEstimate(answer: .upright, confidence: confidence)
        case L_TEXT_ORIENT_DOWN: OrientationEstimate(answer: .turn(.half), confidence: confidence)
        case L_TEXT_ORIENT_LEFT:
            OrientationEstimate(answer: .turn(.clockwise90), confidence: confidence)
        case L_TEXT_ORIENT_RIGHT:
            OrientationEstimate(answer: .turn(.counterclockwise90), confidence: confidence)
        default: unknown
        }
    }
}
