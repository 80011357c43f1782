public import Imaging

/// Finds a page by its outline: the bright region that fills a quadrilateral best.
///
/// For paper on a darker ground, as on a copy stand, a table or a scanner's black lid. The picture is reduced, cut at a row of brightness levels, and of the
/// largest region at each level that one is taken which fills its own circumscribed quadrilateral most fully. Each side is then fitted at full size to the steps from
/// dark to light across it. It answers nil rather than guess: for a page that fills the picture, one whose side is cut off by the picture's edge, or one hardly
/// brighter than what it lies on.
///
/// One detection of a 12-megapixel photograph takes a few tens of milliseconds on one core.
public struct ContourPageDetector: PageDetector {
    /// The least part of the picture that counts as a page, 0.01…1; 0.08 unless given.
    public var minimumArea: Double

    /// A detector.
    ///
    /// - Parameter minimumArea: the least part of the picture that counts as a page, 0.01…1.
    public init(minimumArea: Double = 0.08) {
        self.minimumArea = minimumArea
    }

    /// The least and greatest angle, in degrees, between two sides of a page seen aslant.
    private static let angles = 45.0...135.0

    /// Where the page is; nil when none is seen.
    ///
    /// Throws nothing.
    public func detect(in image: Raster) throws -> DetectedPage? {
        guard min(image.width, image.height) >= 32 else { return nil }
        let map = PaperMap(of: image, longSide: 384)
        let frame = Double(map.width * map.height)
        // Not a number leaves the comparison false.
        let least = minimumArea >= 0.01 ? min(minimumArea, 1) : 0.01
        let regions = RegionFinder(map).regions(minimumPixels: Int(least * frame * 0.8))
        let (x, y) = (
            Double(image.width) / Double(map.width), Double(image.height) / Double(map.height)
        )
        let fitter = SideFitter(image, reach: 3 * max(x, y))
        // The fullest region whose sides all have an edge under them; many levels give nearly the same region, so few are tried.
        for region in regions.prefix(6) {
            guard let fitted = fitter.fit(region.quad.scaled(x: x, y: y)),
                isPlausible(fitted.quad, image)
            else { continue }
            return DetectedPage(
                quad: fitted.quad, confidence: min(1, max(0, fitted.support * region.fullness)))
        }
        return nil
    }

    private func isPlausible(_ quad: Quad, _ image: Raster) -> Bool {
        let (width, height) = (Double(image.width), Double(image.height))
        // A corner may lie a little outside, where a fitted side crosses another.
        let slack = 0.02 * max(width, height)
        return quad.isConvex && quad.area >= minimumArea * width * height
            && quad.angles.allSatisfy(Self.angles.contains)
            && quad.corners.allSatisfy {
                $0.x >= -slack && $0.y >= -slack && $0.x <= width + slack && $0.y <= height + slack
            }
    }
}
