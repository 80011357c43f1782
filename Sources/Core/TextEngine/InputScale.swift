/// The factors by which a picture is scaled before the engine reads it.
///
/// The engine scales every line to a height of 36 pixels before its network reads it. Taller
/// letters only cost time in layout analysis and in cropping lines, and carry noise; much smaller
/// ones are read worse. The network's time grows with the ratio of a line's length to its height,
/// and it knows narrow typefaces.
struct InputScale: Equatable {
    /// The factor of widths; 1 leaves them unchanged.
    var horizontal: Double
    /// The factor of heights; 1 leaves them unchanged.
    var vertical: Double

    /// Leaves the picture as it is.
    static let one = InputScale(horizontal: 1, vertical: 1)

    /// The median height to which the letters of a scan are scaled, in pixels: 15 to 17 read as
    /// many words as larger ones, in less time.
    static let scannedLetters = 16.0
    /// The median height to which the letters of a photograph, and small letters of a scan, are
    /// scaled, in pixels.
    static let otherLetters = 21.0
    /// Letters of a scan that are less tall than this, in pixels, are enlarged.
    static let smallLetters = 13.0
    /// The factor by which the letters of a scan are made narrower.
    static let narrowing = 0.9
    /// The resolution to use instead if a scan shows too few letters, in dots per inch.
    static let scannedResolution = 225.0
    /// A resolution below this, in dots per inch, is probably a default of a camera or program and
    /// not true.
    static let lowestBelieved = 150.0
    /// Letters less tall than this on paper, in inches, are noise: the lowercase letters of
    /// 4.5-point print.
    static let lowestLetters = 0.03
    /// The maximum number of pixels to which a picture is enlarged: 1.5 times those of an A4 page
    /// at 300 dpi.
    static let mostPixels = 13_000_000.0

    /// The scale for a picture of `width` × `height` pixels.
    ///
    /// - Parameters:
    ///   - resolution: Dots per inch, nil when unknown.
    ///   - letters: The median height of the letters in pixels, nil when there are too few.
    static func best(width: Int, height: Int, resolution: Double?, letters: Int?) -> InputScale {
        let room = max((mostPixels / (Double(width) * Double(height))).squareRoot(), 1)
        guard let resolution, resolution >= lowestBelieved else {
            guard let letters else { return .one }
            return even(otherLetters / Double(letters), atMost: room)
        }
        guard let letters = letters.map(Double.init), letters >= resolution * lowestLetters else {
            return narrowed(scannedResolution / resolution)
        }
        return letters < smallLetters
            ? even(otherLetters / letters, atMost: room) : narrowed(scannedLetters / letters)
    }

    /// Enlarges or reduces by `factor` in both directions; a change of less than a tenth is not
    /// worth the time.
    private static func even(_ factor: Double, atMost most: Double) -> InputScale {
        let factor = min(max(factor, 0.5), 3, most)
        return (0.9...1.12).contains(factor)
            ? .one : InputScale(horizontal: factor, vertical: factor)
    }

    /// Reduces by `factor`, and the width even more.
    private static func narrowed(_ factor: Double) -> InputScale {
        guard factor <= 16.0 / 13 else { return .one }
        let factor = min(max(factor, 0.1), 1)
        return InputScale(horizontal: factor * narrowing, vertical: factor)
    }
}
