/// A page's orientation, according to its letters.
public struct OrientationGuess: Codable, Hashable, Sendable {
    /// The clockwise quarter turns, 0…3, that make the page upright.
    public var quarterTurns: Int
    /// The engine's confidence, at least 0; below 2 it is hardly better than chance, above 10 it is
    /// certain.
    ///
    /// This is Tesseract's "orientation confidence": the difference between the summed scores of
    /// the best and the second best orientation.
    public var confidence: Double

    /// A page that is upright after `quarterTurns` clockwise quarter turns.
    public init(quarterTurns: Int, confidence: Double) {
        self.quarterTurns = quarterTurns
        self.confidence = confidence
    }
}
