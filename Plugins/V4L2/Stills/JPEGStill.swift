import CTurboJPEG
import CaptureKit

/// Decodes a camera's JPEG picture in full (`tjDecompress2`).
enum JPEGStill {
    /// The pixels, packed red, green and blue, and the picture's size.
    ///
    /// - Throws: ``CaptureError`` `damagedData` when any of it can't be decoded.
    static func decode(
        _ picture: [UInt8]
    ) throws(CaptureError) -> (pixels: [UInt8], size: FrameSize) {
        guard let decoder = tjInitDecompress() else {
            throw CaptureError(.internalFault, "turbojpeg can't be started")
        }
        defer { tjDestroy(decoder) }
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        guard
            tjDecompressHeader3(
                decoder, picture, UInt(picture.count), &width, &height, &sampling, &space) == 0,
            (1...65_535).contains(width), (1...65_535).contains(height)
        else { throw damaged(decoder) }
        let count = Int(width) * Int(height) * 3
        guard count <= 1_200_000_000 else {
            throw CaptureError(.tooLarge, "a picture of \(width) × \(height) pixels is too large")
        }
        var isWhole = false
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { pixels, made in
            pixels.initialize(repeating: 0)
            isWhole =
                tjDecompress2(
                    decoder, picture, UInt(picture.count), pixels.baseAddress, width, 0, height,
                    Int32(TJPF_RGB.rawValue), Int32(TJFLAG_ACCURATEDCT)) == 0
            made = count
        }
        guard isWhole else { throw damaged(decoder) }
        return (pixels, FrameSize(width: Int(width), height: Int(height)))
    }

    private static func damaged(_ decoder: tjhandle) -> CaptureError {
        CaptureError(
            .damagedData,
            "the camera's picture is damaged: \(String(cString: tjGetErrorStr2(decoder)))",
            advice: "Capture it again.")
    }
}
