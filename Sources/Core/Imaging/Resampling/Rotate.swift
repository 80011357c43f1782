extension Raster {
    /// The picture turned clockwise about its center by any angle, in the same size; uncovered
    /// areas are filled.
    ///
    /// Pixels are interpolated bilinearly. This is for the few degrees of a tilted page: parts that
    /// turn out of the frame are lost. Bilevel stays bilevel, by comparing gray values with the
    /// middle. If no corner moves by a quarter of a pixel, the picture is returned unchanged.
    ///
    /// - Parameters:
    ///   - degrees: the angle; positive turns clockwise as seen.
    ///   - fill: the level of uncovered areas, 0 (black)…255 (white).
    public func rotated(byDegrees degrees: Double, fill: UInt8 = 255) -> Raster {
        let (sine, cosine) = Trigonometry.sineCosine(degrees: degrees)
        let half = Double(width + height) / 2
        guard sine.isFinite, sine.magnitude * half > 0.25 || cosine < 0 else { return self }
        // The map from a point of the result to the picture.
        let back = Homography.turn(byDegrees: -degrees, width: width, height: height)
        return sampled(through: back.matrix, width: width, height: height, fill: fill)
    }
}
