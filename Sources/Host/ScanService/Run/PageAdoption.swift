package import CaptureHost
import CaptureKit
package import Imaging
import Processing

extension CapturedPage {
    /// The page's pixels as a raster over the spooled file, mapped rather than read.
    ///
    /// All code that handles pixels assumes them to be square; a page with two resolutions, such as
    /// a fax's 204 × 98 dpi, is stretched to the finer of them.
    ///
    /// - Parameter isKept: true leaves it as it is; its resolution is then the horizontal one.
    /// - Throws: ``HostError`` when the file is gone or short, ``ImagingError`` when the page can't
    ///   be stretched.
    package func raster(
        keepingPixels isKept: Bool = false
    ) throws -> (image: Raster, isStretched: Bool) {
        guard let format = PixelFormat(description.format) else {
            throw HostError(
                .spoolFailed, "page \(number) is \(description.format), which no page can be")
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
        // Black and white stays that way: as gray it would be a JPEG many times as large.
        if format == .bilevel { square = square.converted(to: .bilevel) }
        square.resolution = finer
        return (square, true)
    }

    /// How reliable the page's resolution is; in a note without facts it is the device's claim.
    var scale: ClaimedScale {
        let (facts, resolution) = (description.facts, description.resolution)
        return ClaimedScale(
            x: resolution?.x, y: resolution?.y,
            isStated: facts?.size == .stated || facts?.size == .guessed,
            isWorthless: facts?.origin == .screenshot)
    }

    /// The facts about it that steps need not guess.
    var facts: PictureFacts {
        let facts = description.facts
        let isDrawn = [.rendered, .digital, .screenshot].contains(facts?.origin)
        return PictureFacts(
            edgesArePaper: facts?.edgesArePaper ?? isDrawn, isScan: facts?.origin == .scan,
            isDrawn: isDrawn)
    }

    private static func stretched(_ length: Int, by factor: Double) -> Int {
        // A file may claim any two resolutions; a page is not stretched beyond what a frame may be.
        min(FrameDescription.longestSide, max(1, Int((Double(length) * factor).rounded())))
    }
}

extension PixelFormat {
    /// The same form as on the wire; samples of two bytes are little-endian there, as on every
    /// machine Debian runs Swift on.
    ///
    /// Nil for the forms of live frames, which a page never has.
    init?(_ format: FrameFormat) {
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
