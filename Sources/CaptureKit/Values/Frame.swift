/// How the samples of a frame lie in memory.
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

    /// Bits a pixel takes.
    public var bitsPerPixel: Int {
        switch self {
        case .bilevel: 1
        case .gray8: 8
        case .gray16: 16
        case .rgb8: 24
        case .rgb16: 48
        }
    }

    /// The fewest bytes a row of `width` pixels takes.
    public func minimumStride(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
}

/// What a backend announces before a frame's pixels.
public struct FrameDescription: Codable, Hashable, Sendable {
    /// How the samples lie.
    public var format: FrameFormat
    /// Pixels in a row, 1…65,535.
    public var width: Int
    /// Rows, 1…65,535; nil when the device can't know before the end (hand-held scanners).
    public var height: Int?
    /// Bytes from one row to the next, at least `format.minimumStride(width:)`.
    public var stride: Int
    /// Dots per inch; nil when unknown (cameras, files without it).
    public var resolution: Resolution?
    /// What the page is called at its source, such as a file's name or "sheet 3, back".
    public var label: String?
    /// How many frames the capture will give in all, this one and those before it included, as far as is known now.
    ///
    /// A guess for showing progress: it may change from frame to frame. Nil when nobody can know, as with a feeder.
    public var expected: Int?

    /// Describes a frame; rows are packed unless `stride` says otherwise.
    public init(
        format: FrameFormat, width: Int, height: Int?, stride: Int? = nil,
        resolution: Resolution? = nil, label: String? = nil, expected: Int? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride ?? format.minimumStride(width: width)
        self.resolution = resolution
        self.label = label
        self.expected = expected
    }
}

/// Dots per inch in both directions.
public struct Resolution: Codable, Hashable, Sendable {
    /// Horizontal dots per inch, above 0.
    public var x: Double
    /// Vertical dots per inch, above 0.
    public var y: Double

    /// A resolution; square unless `y` is given.
    public init(x: Double, y: Double? = nil) {
        self.x = x
        self.y = y ?? x
    }
}

/// The bytes a page had before it was decoded, so that an untouched page can be passed on unchanged.
public struct EncodedOriginal: Hashable, Sendable {
    /// Its media type; only `image/jpeg` is passed through so far.
    public var mediaType: String
    /// The encoded bytes, whose decoded pixels are the frame's, with no turn left to apply.
    public var bytes: [UInt8]

    /// Wraps the encoded bytes of a page.
    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
