import Documents
import Imaging

extension PageFrame {
    /// The frame of a page that shows something else than the whole captured picture; nil for
    /// others.
    var changed: PageFrame? { crop == nil && turn == .none ? nil : self }

    /// A text that is different for each frame of a picture.
    var mark: String {
        let part = shown
        return "\(part.x)-\(part.y)-\(part.width)-\(part.height)-\(turn.rawValue)"
    }

    /// A small picture of the captured one, cut and turned as the page is, as a JPEG.
    ///
    /// - Parameter small: the file of a picture of the captured one in any size.
    /// - Throws: ``ImagingError`` for a picture that can't be decoded.
    func thumbnail(of small: [UInt8]) throws -> [UInt8] {
        var picture = try Raster.decoded(from: small)
        if let crop, width > 0, height > 0 {
            let (across, down) = (
                Double(picture.width) / Double(width), Double(picture.height) / Double(height)
            )
            picture = picture.cropped(
                to: PixelRect(
                    x: Int(Double(crop.x) * across), y: Int(Double(crop.y) * down),
                    width: max(1, Int(Double(crop.width) * across)),
                    height: max(1, Int(Double(crop.height) * down))))
        }
        if let turn = QuarterTurn(rawValue: turn.rawValue) { picture = picture.rotated(by: turn) }
        return try picture.thumbnail(longSide: 360).encodedJPEG(quality: 75)
    }
}
