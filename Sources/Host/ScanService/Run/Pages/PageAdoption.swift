package import CaptureHost
package import CaptureKit
package import Imaging
import Processing

extension CapturedPage {
    /// The page's pixels as a raster over the mapped file in the spool.
    ///
    /// All code for pixels assumes them to be square; a page with two resolutions, such as a fax's
    /// 204 × 98 dpi, is stretched to the higher one.
    ///
    /// - Parameter isKept: true to leave the page unchanged; its resolution is then the horizontal
    ///   one.
    /// - Throws: ``HostError`` when the file is gone or short, ``ImagingError`` when the page can't
    ///   be stretched.
    package func raster(
        keepingPixels isKept: Bool = false
    ) throws -> (image: Raster, isStretched: Bool) {
        guard let format = PixelFormat(description.format) else {
            throw HostError(
                .spoolFailed,
                "page \(number) has the format \(description.format), which no page can have")
        }
        let mapped = try mapPixels()
        let scale = scale
        let horizontal = scale.x
        let image = Raster(
            width: description.width, height: description.height ?? 1,
            format: format, stride: description.stride,
            resolution: horizontal, adopting: mapped.bytes, forget: mapped.forget,
            release: mapped.release)
        guard !isKept, let horizontal, let vertical = scale.y, scale.isOblong else {
            return (image, false)
        }
        let finer = max(horizontal, vertical)
        var square = image.resized(
            to: Self.stretched(image.width, by: finer / horizontal),
            Self.stretched(image.height, by: finer / vertical), filter: .bilinear)
        // Black and white stays black and white: a gray picture would become a much larger JPEG.
        if format == .bilevel { square = square.converted(to: .bilevel) }
        square.resolution = finer
        return (square, true)
    }

    /// The reliability of the page's resolution; in a note without facts, it is the device's claim.
    var scale: ClaimedScale {
        let (facts, resolution) = (description.facts, description.resolution)
        return ClaimedScale(
            x: resolution?.x, y: resolution?.y,
            isStated: facts?.size == .stated || facts?.size == .guessed,
            isWorthless: facts?.origin == .screenshot)
    }

    /// The page's facts that steps need not guess.
    var facts: PictureFacts {
        let facts = description.facts
        let isDrawn = [.rendered, .digital, .screenshot].contains(facts?.origin)
        return PictureFacts(
            edgesArePaper: facts?.edgesArePaper ?? isDrawn, isScan: facts?.origin == .scan,
            isDrawn: isDrawn)
    }

    private static func stretched(_ length: Int, by factor: Double) -> Int {
        // A file may state any two resolutions; a page is not stretched beyond the largest frame.
        min(FrameDescription.longestSide, max(1, Int((Double(length) * factor).rounded())))
    }
}

extension PixelFormat {
    /// The raster's format for a format on the wire, where samples of two bytes are little-endian,
    /// as on every machine for which Debian has Swift.
    ///
    /// Nil for the forms of live frames, which a page never has.
    package init?(_ format: FrameFormat) {
        switch format {
        case .bilevel: self = .bilevel
        case .gray8: self = .gray8
        case .gray16: self = .gray16
        case .rgb8: self = .rgb8
        case .rgb16: self = .rgb16
        case .yuyv, .uyvy, .nv12, .jpeg: return nil
        }
    }
}
