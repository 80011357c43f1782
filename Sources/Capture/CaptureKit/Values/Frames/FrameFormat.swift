/// The layout of a frame's samples in memory.
///
/// The first five are formats of pages. The last four are formats of cameras. They occur only in
/// live captures (``isLiveOnly``), and the host gets them undecoded, so that no frame is decoded
/// only to be thrown away. Their colors are Y'CbCr of ITU-R BT.601.
public enum FrameFormat: String, Codable, Hashable, Sendable, CaseIterable {
    /// One bit a pixel, the leftmost in the highest bit, 1 is black; rows padded to whole bytes.
    case bilevel
    /// One byte a pixel, 0 is black.
    case gray8
    /// Two bytes a pixel, little-endian, 0 is black.
    case gray16
    /// Three bytes a pixel: red, green, blue.
    case rgb8
    /// Six bytes a pixel: red, green, blue, each little-endian.
    case rgb16
    /// Two bytes a pixel: Y, Cb, Y, Cr for every two pixels (4:2:2); a row holds a whole number of
    /// such pairs.
    case yuyv
    /// Two bytes a pixel: Cb, Y, Cr, Y for every two pixels (4:2:2); a row holds a whole number of
    /// such pairs.
    case uyvy
    /// A plane with one Y for each pixel, then a plane with Cb, Cr for every two by two pixels
    /// (4:2:0); both planes have the same stride.
    case nv12
    /// One JPEG picture, as in Motion JPEG: any length up to the description's `capacity`.
    case jpeg

    /// True for the formats that only live captures may have.
    public var isLiveOnly: Bool {
        switch self {
        case .bilevel, .gray8, .gray16, .rgb8, .rgb16: false
        case .yuyv, .uyvy, .nv12, .jpeg: true
        }
    }

    /// Bits per pixel; 12, the mean, for `nv12`; 0 for `jpeg`, whose pixels have no fixed number of
    /// bits.
    public var bitsPerPixel: Int {
        switch self {
        case .bilevel: 1
        case .gray8: 8
        case .gray16, .yuyv, .uyvy: 16
        case .rgb8: 24
        case .rgb16: 48
        case .nv12: 12
        case .jpeg: 0
        }
    }

    /// The minimum number of bytes that a row of `width` pixels takes; 0 for `jpeg`, which has no
    /// rows.
    ///
    /// If two pixels share their colors, an odd width needs as many bytes as the next even width.
    public func minimumStride(width: Int) -> Int {
        switch self {
        case .bilevel: (width + 7) / 8
        case .gray8, .gray16, .rgb8, .rgb16: width * bitsPerPixel / 8
        case .yuyv, .uyvy: (width + 1) / 2 * 4
        case .nv12: (width + 1) / 2 * 2
        case .jpeg: 0
        }
    }
}
