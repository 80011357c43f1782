import CTurboJPEG

/// Frames for the served camera, each of one color, so that a frame can be identified.
enum Clips {
    /// The gray that identifies frame `number`, different enough from adjacent frames' to survive
    /// compression.
    static func tone(_ number: Int) -> UInt8 { UInt8(20 + number % 10 * 22) }

    /// JPEG pictures one after another.
    static func jpeg(_ width: Int, _ height: Int, frames: Int = 10) -> [UInt8] {
        (0..<frames).flatMap { picture(width, height, tone($0)) }
    }

    /// One JPEG picture of one gray.
    static func picture(_ width: Int, _ height: Int, _ tone: UInt8) -> [UInt8] {
        encode([UInt8](repeating: tone, count: width * height * 3), width, height)
    }

    /// Encodes packed red, green and blue as JPEG (`tjCompress2`).
    static func encode(_ pixels: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        let compressor = tjInitCompress()
        defer { tjDestroy(compressor) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        tjCompress2(
            compressor, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &bytes,
            &size, Int32(TJSAMP_420.rawValue), 90, 0)
        defer { tjFree(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    /// Frames whose rows repeat a group of samples, such as Y, Cb, Y, Cr; `tone` stands for the
    /// frame's gray.
    static func raw(
        _ bytesOfFrame: Int, frames: Int = 10, _ sample: (Int, UInt8) -> UInt8
    ) -> [UInt8] {
        (0..<frames).flatMap { frame in
            (0..<bytesOfFrame).map { sample($0, tone(frame)) }
        }
    }

    /// YUYV frames without color.
    static func yuyv(_ width: Int, _ height: Int, frames: Int = 10) -> [UInt8] {
        raw((width + 1) / 2 * 4 * height, frames: frames) { $0 % 2 == 0 ? $1 : 128 }
    }
}
