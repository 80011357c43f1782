import CaptureHost
import Detection
import Imaging

/// Examines a frame like a still, with more pixels than for a first look.
struct CloserLook: ~Copyable {
    /// The minimum number of pixels of the long side, if the frame has them.
    private static let longSide = 1280
    /// Four times as many pixels as for a first look take longer than that whole look.
    private var reader = LumaReader(longSide: Self.longSide)

    /// The page in pixels of the reduced picture `luma`; nil for none.
    ///
    /// If the brightness leaves doubt, the colors are examined too: the edge of a blue card on
    /// brown wood may be visible only in color.
    ///
    /// - Parameters:
    ///   - frame: the frame from which `luma` was read, and its width in pixels.
    ///   - sure: the minimum confidence of a certain page.
    /// - Throws: the errors of the detector and of the frame's memory; an unreadable frame has no
    ///   page.
    mutating func page(
        in frame: CapturedPage, width: Int, reducedTo luma: Raster, sure: Double,
        with detector: any PageDetector
    ) throws -> DetectedPage? {
        var close = luma
        if luma.width < width {
            do {
                try frame.withFrame { camera in try reader.read(camera) }
            } catch is ImagingError {
                return nil
            }
            close = reader.luma
        }
        let found = try detector.detectClosely(in: close)?.scaled(from: close, to: luma)
        if let found, found.confidence >= sure { return found }
        do {
            close = try frame.withFrame { try $0.raster(longSide: Self.longSide) }
        } catch is ImagingError {
            return found
        }
        guard close.format != .gray8 else { return found }
        let colorful = try detector.detectClosely(in: close)?.scaled(from: close, to: luma)
        return [found, colorful].compactMap(\.self).max { $0.confidence < $1.confidence }
    }
}

extension DetectedPage {
    /// The page in pixels of another copy of the same picture.
    fileprivate func scaled(from picture: Raster, to other: Raster) -> DetectedPage {
        DetectedPage(
            quad: quad.scaled(
                x: Double(other.width) / Double(picture.width),
                y: Double(other.height) / Double(picture.height)),
            confidence: confidence)
    }
}
