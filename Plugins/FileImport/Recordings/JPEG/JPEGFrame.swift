import CaptureKit

/// A JPEG picture as a frame, without decoding it.
///
/// - Parameters:
///   - bytes: the picture; bytes after its end are left out.
///   - markers: the picture's markers.
/// - Throws: ``DecodeFault`` when it has no size, or can't be what a camera sends.
func jpegFrame(
    _ bytes: UnsafeRawBufferPointer, _ markers: JPEGMarkers, label: String, time: Double,
    limits: ImportLimits
) throws(DecodeFault) -> RecordedFrame {
    guard markers.frameMarker != nil else { throw .damaged("the frame is not a JPEG picture") }
    guard markers.isCommonFrame, [1, 3].contains(markers.components) else {
        throw .unsupported("the frame is a JPEG picture of an uncommon kind")
    }
    let (width, height) = (markers.width, markers.height)
    // The host decodes the frame to RGB, so the size is checked for that too.
    try limits.check(width: width, height: height, bytesPerPixel: 9)
    let picture = UnsafeRawBufferPointer(rebasing: bytes.prefix(markers.end ?? bytes.count))
    // The buffer has the same size for every frame of a recording, except for an unusually large
    // one.
    let usual = 2 * width * height + 1 << 16
    let most = 4 * width * height + 1 << 20
    guard picture.count <= most else {
        throw .damaged("the frame takes \(picture.count) bytes for \(width) × \(height) pixels")
    }
    let frame = try PixelBuffer(byteCount: picture.count)
    frame.mutableBytes.copyMemory(from: picture)
    return RecordedFrame(
        description: FrameDescription(
            format: .jpeg, width: width, height: height, stride: 0,
            capacity: picture.count <= usual ? usual : most, label: label, time: time),
        bytes: frame)
}
