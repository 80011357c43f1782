/// The layout of a raster's samples in memory.
public enum PixelFormat: String, Hashable, Sendable, CaseIterable {
    /// One bit a pixel, the leftmost in the highest bit, 1 is black; rows start on whole bytes.
    case bilevel
    /// One byte a pixel, 0 is black.
    case gray8
    /// Two bytes a pixel in the machine's order, 0 is black.
    case gray16
    /// Three bytes a pixel: red, green, blue.
    case rgb8
    /// Six bytes a pixel: red, green, blue, each in the machine's order.
    case rgb16

    /// Bits per pixel.
    public var bitsPerPixel: Int {
        switch self {
        case .bilevel: 1
        case .gray8: 8
        case .gray16: 16
        case .rgb8: 24
        case .rgb16: 48
        }
    }

    /// Samples per pixel: 1 or 3.
    public var channels: Int {
        switch self {
        case .bilevel, .gray8, .gray16: 1
        case .rgb8, .rgb16: 3
        }
    }

    /// The minimum number of bytes that a row of `width` pixels takes.
    public func minimumStride(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
}
