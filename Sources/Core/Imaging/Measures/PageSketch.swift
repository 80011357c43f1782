import CLeptonica

/// A page's lettering in black and white at about 150 dots per inch, from which skew and
/// orientation are measured.
///
/// Make it once when both are needed:
///
///     let sketch = try PageSketch(of: page)
///     let skew = sketch.skew()
///     let turn = sketch.uprightTurn()
public struct PageSketch: Sendable {
    /// The lettering: bilevel, 1 is ink.
    public let image: Raster

    /// Sketches a page.
    ///
    /// The page is reduced by area averaging and split at Otsu's threshold. A page of unknown
    /// resolution is assumed to be as tall as an A4 sheet.
    ///
    /// - Parameter raster: the page, in any form, of any size.
    /// - Throws: `libraryFailed` when memory runs out.
    public init(of raster: Raster) throws(ImagingError) {
        let long = max(raster.width, raster.height)
        let resolution = raster.resolution.flatMap { $0 >= 50 && $0 <= 5000 ? $0 : nil }
        let assumed = resolution ?? Double(long) / 11.69
        let scale = min(1, 150 / assumed, 4000 / Double(long))
        if scale < 0.95 {
            let width = max(1, Int((Double(raster.width) * scale).rounded()))
            let height = max(1, Int((Double(raster.height) * scale).rounded()))
            // The page is made gray first, because resizing one channel takes a third of the time
            // for three.
            image = try raster.converted(to: .gray8).resized(to: width, height, filter: .area)
                .binarized(.otsu)
        } else {
            image = try raster.binarized(.otsu)
        }
    }
}
