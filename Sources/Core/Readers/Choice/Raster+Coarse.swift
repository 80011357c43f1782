import Imaging

extension Raster {
    /// Dots per inch below which letters are a few blurred pixels, as in a camera's live frames.
    private static let coarse = 100.0

    /// The best form of the picture for Tesseract: a coarse one gets sharper letters.
    ///
    /// Networks read such a picture better without this: faint strokes turn white.
    var sharpenedIfCoarse: Raster {
        guard let resolution, resolution < Self.coarse, format != .bilevel else { return self }
        return enhanced()
    }
}
