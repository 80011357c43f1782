import CLeptonica

/// The tilt of a page.
public struct SkewEstimate: Hashable, Sendable {
    /// The angle in degrees, −12…12, by which `Raster.rotated(byDegrees:fill:)` makes the page's
    /// lines level; positive turns clockwise.
    public let degrees: Double
    /// The confidence: the sharpness at the best angle over that at the worst; below about 3 there
    /// are no clear lines.
    public let confidence: Double
}

extension PageSketch {
    /// The tilt of the lines of text; nil when no lines stand out.
    ///
    /// Finds the angle, up to 12° either way, at which the counts of ink by row differ most from
    /// one row to the next: leptonica's `pixFindSkewSweepAndSearch` (Bloomberg, Kopec and Dasari,
    /// "Measuring document image skew and orientation", SPIE 2422, 1995), to about 0.02°.
    public func skew() -> SkewEstimate? {
        guard image.width >= 32, image.height >= 32, let source = try? PixHandle(image) else {
            return nil
        }
        var angle: Float = 0
        var confidence: Float = 0
        let failed = pixFindSkewSweepAndSearch(
            source.pointer, &angle, &confidence, 2, 1, 14, 1, 0.01)
        guard failed == 0, angle.isFinite, confidence.isFinite, confidence >= 3,
            angle.magnitude <= 12.5
        else { return nil }
        return SkewEstimate(degrees: Double(angle), confidence: Double(confidence))
    }
}
