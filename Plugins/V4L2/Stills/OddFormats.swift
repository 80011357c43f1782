import CV4L2
import CaptureKit

/// Decodes the private formats of cameras by libv4lconvert.
///
/// `@unchecked Sendable`: only one capture uses it, one call after the other.
final class OddFormats: @unchecked Sendable {
    private let converter: OpaquePointer
    private let node: CameraNode

    /// A converter for a camera (`v4lconvert_create`).
    init(_ node: CameraNode) throws(CaptureError) {
        guard let converter = v4lconvert_create(node.file.raw) else {
            throw CaptureError(.internalFault, "libv4lconvert can't be started for '\(node.name)'")
        }
        self.converter = converter
        self.node = node
    }

    deinit { v4lconvert_destroy(converter) }

    /// Converts a frame to packed red, green and blue (`v4lconvert_convert`).
    ///
    /// - Throws: ``CaptureError`` `damagedData` when the frame can't be decoded.
    func convert(
        _ bytes: UnsafeMutableRawBufferPointer, _ form: FrameForm,
        into result: UnsafeMutableRawBufferPointer
    ) throws(CaptureError) {
        var source = cv4l2_form()
        source.width = UInt32(form.size.width)
        source.height = UInt32(form.size.height)
        source.format = form.format.rawValue
        source.stride = UInt32(form.stride)
        source.size = UInt32(form.capacity)
        let wanted = form.size.area * 3
        guard result.count >= wanted, let count = Int32(exactly: bytes.count),
            let most = Int32(exactly: wanted)
        else { throw CaptureError(.tooLarge, "a frame of \(form.size) is too large to convert") }
        let made = cv4l2_convert(
            converter, &source, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count,
            result.baseAddress?.assumingMemoryBound(to: UInt8.self), most)
        guard made == most else {
            let reason = v4lconvert_get_error_message(converter).map { String(cString: $0) } ?? ""
            throw CaptureError(
                .damagedData, "a frame of \(form.format) can't be decoded: \(reason)")
        }
    }
}
