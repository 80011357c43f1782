/// How much a picture is scaled before the engine reads it.
///
/// The engine brings every line to a height of 36 pixels before it reads it, so pixels beyond that cost time in layout
/// analysis and in cropping lines, and carry noise; letters much smaller are read worse.
struct InputScale: Equatable {
    /// Of widths; 1 leaves them.
    var horizontal: Double
    /// Of heights; 1 leaves them.
    var vertical: Double

    /// Leaves the picture as it is.
    static let one = InputScale(horizontal: 1, vertical: 1)

    /// The resolution at which printed pages are read best for their time, in dots per inch.
    static let bestResolution = 225.0
    /// The best median height of the letters, in pixels, where the resolution says nothing.
    static let bestLetterHeight = 20.0
    /// The engine's time grows with the length of a line over its height, and its net is used to narrow faces.
    static let narrowing = 0.9
    /// Pixels to which a picture may be scaled up: an A4 page at 300 dpi and half as much again.
    static let mostPixels = 13_000_000.0

    /// The scale for a picture of `width` × `height` pixels.
    ///
    /// - Parameters:
    ///   - resolution: Dots per inch; below 150 it is likelier a default of a camera or a viewer than the truth, and is not believed.
    ///   - letterHeight: Measures the median height of the letters, nil when there are too few; asked only when needed.
    static func best(
        width: Int, height: Int, resolution: Double?, letterHeight: () -> Int?
    ) -> InputScale {
        if let resolution, resolution >= 150 {
            let factor = max(bestResolution / resolution, 0.1)
            guard factor < 0.9 else { return .one }
            return InputScale(horizontal: factor * narrowing, vertical: factor)
        }
        guard let letters = letterHeight(), letters > 0 else { return .one }
        let room = (mostPixels / (Double(width) * Double(height))).squareRoot()
        let factor = min(max(bestLetterHeight / Double(letters), 0.5), 3, max(room, 1))
        return (0.9...1.12).contains(factor)
            ? .one : InputScale(horizontal: factor, vertical: factor)
    }
}
