public import Imaging

/// Moves a page's corners, found in a reduced picture, to where they are in the picture at full size, to parts of a pixel.
public struct QuadRefiner: Sendable {
    /// How far off a side may be, in pixels of the full picture.
    private let reach: Double

    /// A refiner.
    ///
    /// - Parameter factor: how many pixels of the full picture fall on one of the reduced picture along a line, at least 1.
    public init(factor: Double) { reach = 3 * max(1, factor) }

    /// The refined quad; the given one where a side has no clear edge under it, or the result is no longer the same page.
    ///
    /// - Parameters:
    ///   - quad: the corners in pixels of the full picture.
    ///   - image: the full picture.
    public func refined(_ quad: Quad, in image: Raster) -> Quad {
        guard let fitted = SideFitter(image, reach: reach).fit(quad)?.quad, fitted.isConvex,
            fitted.intersectionOverUnion(quad) > 0.9
        else { return quad }
        return fitted
    }
}
