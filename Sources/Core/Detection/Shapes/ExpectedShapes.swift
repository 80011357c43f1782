import Imaging

/// The shapes of the wanted things, such as those of cards.
struct ExpectedShapes: Sendable {
    /// Each shape as the longer side over the shorter; empty if any shape is possible.
    let shapes: [Double]

    /// The tolerance for a shape: corners are slightly wrong, and cards are cut slightly wrong.
    private static let tolerance = 0.045

    /// The difference of a quad's shape from the nearest expected one, in parts of the tolerance;
    /// nil if it is larger.
    ///
    /// - Parameters:
    ///   - width: the width of the picture with the quad, in pixels.
    ///   - height: its height.
    func misfit(of quad: Quad, width: Int, height: Int) -> Double? {
        // A typical focal length is assumed: slightly wrong corners would give one that is farther
        // off than any camera's.
        let aspect = quad.trueAspectRatio(
            inPictureOf: width, by: height, focalLength: Quad.typicalFocalLength)
        guard let aspect else { return nil }
        let long = max(aspect, 1 / aspect)
        return shapes.map { (long / $0 - 1).magnitude / Self.tolerance }.filter { $0 <= 1 }.min()
    }
}
