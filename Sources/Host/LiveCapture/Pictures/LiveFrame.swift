import CaptureHost
import CaptureKit
import Imaging

extension CapturedPage {
    /// Reads the frame's pixels in place.
    ///
    /// - Throws: ``HostError`` when the pixels are gone or have a format that no camera sends; the
    ///   errors of `body`.
    func withFrame<Value>(_ body: (CameraFrame) throws -> Value) throws -> Value {
        guard let format = CameraFormat(description.format) else {
            throw HostError(
                HostError.Code(.unsupported),
                "live frames of the format \(description.format) are not supported",
                advice: "Choose another format or mode of the device")
        }
        let mapped = try mapPixels()
        defer { mapped.release() }
        return try body(
            CameraFrame(
                format: format, width: description.width, height: description.height ?? 0,
                stride: description.stride, bytes: UnsafeRawBufferPointer(mapped.bytes)))
    }
}

extension CameraFormat {
    /// The same format as on the wire; nil for a format of scanners only.
    init?(_ format: FrameFormat) {
        switch format {
        case .gray8: self = .gray8
        case .rgb8: self = .rgb8
        case .yuyv: self = .yuyv
        case .uyvy: self = .uyvy
        case .nv12: self = .nv12
        case .jpeg: self = .jpeg
        case .bilevel, .gray16, .rgb16: return nil
        }
    }
}
