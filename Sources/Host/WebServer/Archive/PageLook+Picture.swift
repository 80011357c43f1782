import Archive
import Imaging

extension PageLook {
    /// The picture of an original in this look.
    ///
    /// - Parameter original: the original's file.
    /// - Throws: ``ImagingError`` for a picture that can't be decoded.
    func picture(of original: [UInt8]) throws -> PagePicture {
        let raster = try Raster.decoded(from: original)
        let side = max(raster.width, raster.height)
        let result: Raster
        switch self {
        case .clean:
            // Tiles of half a centimeter on an A4 page, as in the step `light`.
            result = raster.lightEvened(tile: max(32, side / 64)).enhanced(contrast: 1.3)
        case .bilevel: result = try raster.binarized(.sauvola(radius: max(8, side / 140)))
        }
        let isBilevel = result.format == .bilevel
        return PagePicture(
            image: isBilevel ? try result.encodedPNG() : try result.encodedJPEG(quality: 88),
            media: isBilevel ? "image/png" : "image/jpeg",
            thumbnail: try result.thumbnail(longSide: 360).encodedJPEG(quality: 75))
    }
}
