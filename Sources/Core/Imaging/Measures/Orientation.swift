import CLeptonica

/// Which way up a page is.
public struct OrientationEstimate: Hashable, Sendable {
    /// What is known about it.
    public enum Answer: Hashable, Sendable {
        /// The page is the right way up.
        case upright
        /// The turn after which the page is the right way up.
        case turn(QuarterTurn)
        /// There is too little text to decide.
        case unknown
    }

    /// What is known.
    public let answer: Answer
    /// How sure it is: by how many standard deviations the ascenders outnumber the descenders; 0
    /// when unknown, above 8 when given.
    public let confidence: Double

    /// The turn that sets the page upright; nil when it is upright already or nothing is known.
    public var turn: QuarterTurn? {
        if case .turn(let turn) = answer { turn } else { nil }
    }
}

extension PageSketch {
    /// Which way up the page is, from the letters that rise above and hang below their lines.
    ///
    /// For Latin and other scripts with more ascenders than descenders, on pages within about 2° of
    /// level. Leptonica's `pixOrientDetect` and `makeOrientDecision` (Bloomberg, as for `skew()`).
    /// It answers `unknown` rather than guess: for pages with few words, in capitals or without
    /// text.
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

extension Raster {
    /// Which way up the page is: `PageSketch.uprightTurn()` of a sketch made for it.
    ///
    /// - Throws: `libraryFailed` when memory runs out.
    public func uprightTurn() throws(ImagingError) -> OrientationEstimate {
        try PageSketch(of: self).uprightTurn()
    }
}
