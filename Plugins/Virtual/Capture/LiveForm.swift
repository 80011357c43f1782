import CTurboJPEG
import CaptureKit

/// Turns a picture into the form that a real camera would send: Motion JPEG or subsampled Y'CbCr.
struct LiveForm: Sendable {
    let format: FrameFormat
    /// The size of the picture whose samples ``make(_:into:)`` gets.
    let width: Int
    let height: Int

    /// The form that the option `format` chooses for a picture; nil for plain rows.
    init?(_ settings: Settings, width: Int, height: Int) {
        guard let format = FrameFormat(rawValue: settings.text("format")), format.isLiveOnly else {
            return nil
        }
        self.format = format
        self.width = width
        self.height = height
    }

    /// The description of the frame for the host.
    var description: FrameDescription {
        FrameDescription(
            format: format, width: width, height: height,
            // The maximum that turbojpeg may need, so that its buffer never grows.
            capacity: format == .jpeg
                ? Int(tjBufSize(Int32(width), Int32(height), Int32(TJSAMP_420.rawValue))) : nil)
    }

    /// Writes the frame made of packed red, green and blue samples; returns the number of bytes.
    ///
    /// - Throws: ``CaptureError`` `internalFault` when the picture can't be compressed
    ///   (`tjCompress2`).
    func make(
        _ samples: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        switch format {
        case .jpeg: return try compress(samples, into: bytes)
        case .nv12: planes(samples, into: bytes)
        default: pairs(samples, into: bytes)
        }
        return bytes.count
    }

    private func compress(
        _ samples: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        let compressor = tjInitCompress()
        defer { tjDestroy(compressor) }
        var place = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var size = UInt(bytes.count)
        let failure = tjCompress2(
            compressor, samples.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), 0,
            Int32(height), Int32(TJPF_RGB.rawValue), &place, &size, Int32(TJSAMP_420.rawValue), 85,
            Int32(TJFLAG_NOREALLOC))
        guard failure == 0 else {
            throw CaptureError(
                .internalFault,
                "the frame can't be compressed: \(String(cString: tjGetErrorStr2(compressor)))")
        }
        return Int(size)
    }

    /// 4:2:2: each pair of pixels shares a color; the last pixel of an odd row counts twice.
    private func pairs(
        _ samples: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) {
        let stride = format.minimumStride(width: width)
        let luma = format == .yuyv ? 0 : 1
        for y in 0..<height {
            for x in Swift.stride(from: 0, to: width, by: 2) {
                let left = VideoColor(samples, at: y * width + x)
                let right = VideoColor(samples, at: y * width + min(x + 1, width - 1))
                let place = y * stride + 2 * x
                bytes[place + luma] = left.y
                bytes[place + luma + 2] = right.y
                bytes[place + 1 - luma] = VideoColor.mean(left.cb, right.cb)
                bytes[place + 3 - luma] = VideoColor.mean(left.cr, right.cr)
            }
        }
    }

    /// 4:2:0: each square of two by two pixels has the color of its upper two.
    private func planes(
        _ samples: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) {
        let stride = format.minimumStride(width: width)
        for y in 0..<height {
            for x in 0..<width {
                let color = VideoColor(samples, at: y * width + x)
                bytes[y * stride + x] = color.y
                if x % 2 == 0 && y % 2 == 0 {
                    let right = VideoColor(samples, at: y * width + min(x + 1, width - 1))
                    let place = (height + y / 2) * stride + x
                    bytes[place] = VideoColor.mean(color.cb, right.cb)
                    bytes[place + 1] = VideoColor.mean(color.cr, right.cr)
                }
            }
        }
    }
}

/// A pixel in Y'CbCr of ITU-R BT.601, 16…235 and 16…240.
private struct VideoColor {
    let y: UInt8
    let cb: UInt8
    let cr: UInt8

    init(_ samples: UnsafeRawBufferPointer, at pixel: Int) {
        let red = Int(samples[3 * pixel])
        let green = Int(samples[3 * pixel + 1])
        let blue = Int(samples[3 * pixel + 2])
        // The standard's weights times 65,536.
        y = UInt8((1_081_344 + 16_829 * red + 33_039 * green + 6_416 * blue) >> 16)
        cb = UInt8((8_421_376 - 9_714 * red - 19_070 * green + 28_784 * blue) >> 16)
        cr = UInt8((8_421_376 + 28_784 * red - 24_103 * green - 4_681 * blue) >> 16)
    }

    static func mean(_ one: UInt8, _ other: UInt8) -> UInt8 { UInt8((Int(one) + Int(other)) / 2) }
}
