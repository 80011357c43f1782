import CV4L2

/// A pixel format of V4L2: four characters, such as `YUYV` (`v4l2_fourcc`).
struct FourCC: Hashable, Sendable, CustomStringConvertible {
    /// The number of the format, whose lowest byte is the first character.
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The format of four characters of ASCII; shorter names are filled with blanks.
    init(_ name: StaticString) {
        rawValue = name.withUTF8Buffer { letters in
            (0..<4).reduce(UInt32(0)) { sum, place in
                sum | UInt32(place < letters.count ? letters[place] : 32) << UInt32(8 * place)
            }
        }
    }

    /// The name that people know, which is also the value of the option `format`.
    var description: String {
        switch self {
        case .motionJPEG, .jpeg: return "MJPEG"
        case .rgb24: return "RGB24"
        case .bgr24: return "BGR24"
        default: break
        }
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32(8 * $0)) }
        // The highest bit marks a big-endian format.
        return String(
            decoding: letters.map { (33...126).contains($0 & 0x7f) ? $0 & 0x7f : 32 }, as: UTF8.self
        ).replacing(" ", with: "") + (rawValue >> 31 == 1 ? "-BE" : "")
    }

    static let motionJPEG = FourCC("MJPG")
    static let jpeg = FourCC("JPEG")
    static let yuyv = FourCC("YUYV")
    static let uyvy = FourCC("UYVY")
    static let nv12 = FourCC("NV12")
    static let grey = FourCC("GREY")
    static let rgb24 = FourCC("RGB3")
    static let bgr24 = FourCC("BGR3")
}
