/// What a backend announces before a frame's pixels.
public struct FrameDescription: Codable, Hashable, Sendable {
    /// The layout of the samples.
    public var format: FrameFormat
    /// Pixels in a row, 1…65,535.
    public var width: Int
    /// Rows, 1…65,535; nil when the device can't know before the end (hand-held scanners).
    public var height: Int?
    /// Bytes from one row to the next, at least `format.minimumStride(width:)`; 0 for `jpeg`.
    public var stride: Int
    /// The most bytes an encoded frame (`jpeg`) may take; nil for all other formats.
    public var capacity: Int?
    /// Dots per inch; nil when unknown (cameras, files without it).
    public var resolution: Resolution?
    /// What the page is called at its source, such as a file's name or "sheet 3, back".
    public var label: String?
    /// How many frames the capture will give in total, including this one and earlier ones, as far
    /// as is known now.
    ///
    /// A guess for showing progress: it may change from frame to frame. Nil when this can't be
    /// known, as with a feeder.
    public var expected: Int?
    /// When the frame was exposed, in seconds on the device's own clock (for a recording: since its
    /// start); nil when unknown.
    ///
    /// Its zero means nothing; differences do.
    public var time: Double?
    /// What is wrong with the page, though it can be used, in sentences for users; nil for nothing.
    ///
    /// At most 100, of 1 to 4,096 bytes each.
    public var problems: [String]?
    /// What is certain about the page; nil for nothing.
    public var facts: PageFacts?
    /// The page of a document that this is; nil when the document was not handed over.
    public var source: FrameSource?
    /// How the camera took the frame; nil for nothing known.
    public var metadata: FrameMetadata?

    /// Describes a frame; rows are packed unless `stride` says otherwise.
    public init(
        format: FrameFormat, width: Int, height: Int?, stride: Int? = nil, capacity: Int? = nil,
        resolution: Resolution? = nil, label: String? = nil, expected: Int? = nil,
        time: Double? = nil, problems: [String]? = nil, facts: PageFacts? = nil,
        source: FrameSource? = nil, metadata: FrameMetadata? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride ?? format.minimumStride(width: width)
        self.capacity = capacity
        self.resolution = resolution
        self.label = label
        self.expected = expected
        self.time = time
        self.problems = problems
        self.facts = facts
        self.source = source
        self.metadata = metadata
    }

    /// The bytes that `rows` rows take in memory, the last one padded like the others; `capacity`
    /// for `jpeg`.
    ///
    /// Only code that lays out a frame's memory needs this: `stride × rows` is wrong for
    /// `nv12`, which has half as many rows again of color.
    public func byteCount(rows: Int) -> Int {
        format == .jpeg ? capacity ?? 0 : stride * (rows + chromaRows(rows))
    }

    /// The bytes from the frame's start to its plane of colors; nil when it has none, or no
    /// height.
    public var chromaOffset: Int? { format == .nv12 ? height.map { stride * $0 } : nil }

    /// Rows of the plane of colors for `rows` rows of luma.
    private func chromaRows(_ rows: Int) -> Int { format == .nv12 ? (rows + 1) / 2 : 0 }

    /// The fewest bytes that hold `rows` rows: the last one needs no padding; 1 for `jpeg`.
    package func leastBytes(rows: Int) -> Int {
        if format == .jpeg { return 1 }
        return rows == 0
            ? 0 : byteCount(rows: rows) - stride + format.minimumStride(width: width)
    }

    /// The whole rows that `bytes` bytes hold; a frame without rows of its own has all or none.
    package func wholeRows(in bytes: Int) -> Int {
        guard stride > 0 else { return 0 }
        let rows = bytes / stride + (bytes % stride >= format.minimumStride(width: width) ? 1 : 0)
        // What follows the luma is color, and no further row.
        return format == .nv12 ? min(rows, height ?? rows) : rows
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

/// The bytes a page had before it was decoded, so that an untouched page can be passed on
/// unchanged.
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
