import CaptureKit

extension FrameWriter {
    /// Writes all of `pixels` in pieces of a megabyte, checking for cancellation between them.
    func writePieces(of pixels: PixelBuffer) async throws {
        let bytes = pixels.bytes
        var offset = 0
        while offset < bytes.count {
            try Task.checkCancellation()
            let end = min(offset + (1 << 20), bytes.count)
            try await write(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
            offset = end
        }
    }
}
