/// A page's orientation, according to its letters.
public struct OrientationGuess: Codable, Hashable, Sendable {
    /// Clockwise quarter turns that make the page upright, 0…3.
    public var quarterTurns: Int
    /// How sure the engine is, from 0 upwards; below 2 it is little better than chance, above 10 it
    /// is sure.
    ///
    /// Tesseract's "orientation confidence": the difference of the summed scores of the best and
    /// the second best orientation.
    public var confidence: Double

    /// A page that is upright after `quarterTurns` clockwise quarter turns.
    public init(quarterTurns: Int, confidence: Double) {
        self.quarterTurns = quarterTurns
        self.confidence = confidence
    }
}
