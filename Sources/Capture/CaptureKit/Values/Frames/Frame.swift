/// A backend's announcement of a frame, which comes before the pixels.
public struct FrameDescription: Codable, Hashable, Sendable {
    /// The layout of the samples.
    public var format: FrameFormat
    /// Pixels in a row, 1…65,535.
    public var width: Int
    /// The number of rows, 1…65,535; nil when the device learns it only at the end (hand-held
    /// scanners).
    public var height: Int?
    /// Bytes from one row to the next, at least `format.minimumStride(width:)`; 0 for `jpeg`.
    public var stride: Int
    /// The maximum number of bytes that an encoded frame (`jpeg`) may have; nil for all other
    /// formats.
    public var capacity: Int?
    /// Dots per inch; nil when unknown, as for cameras and some files.
    public var resolution: Resolution?
    /// The page's name at its source, such as a file's name or "sheet 3, back".
    public var label: String?
    /// The probable total number of frames in the capture, including this one and earlier ones.
    ///
    /// This guess is for showing progress and may change from frame to frame. It is nil when no
    /// guess is possible, as with a feeder.
    public var expected: Int?
    /// The time of exposure, in seconds on the device's own clock (for a recording: since its
    /// start); nil when unknown.
    ///
    /// Only differences between times have a meaning.
    public var time: Double?
    /// The faults of a page that can be used nevertheless, in sentences for users; nil for none.
    ///
    /// At most 100 sentences, of 1 to 4,096 bytes each.
    public var problems: [String]?
    /// The known facts about the page; nil for none.
    public var facts: PageFacts?
    /// The page of a document that the frame shows; nil when no document was passed.
    public var source: FrameSource?
    /// The camera's settings for the frame; nil if nothing is known.
    public var metadata: FrameMetadata?

    /// Describes a frame; rows are packed unless `stride` states another length.
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

    /// The bytes that `rows` rows take in memory, with the last one padded like the others;
    /// `capacity` for `jpeg`.
    ///
    /// Only code that lays out a frame's memory needs this function: `stride × rows` is wrong for
    /// `nv12`, whose plane of colors has half as many rows again.
    public func byteCount(rows: Int) -> Int {
        format == .jpeg ? capacity ?? 0 : stride * (rows + chromaRows(rows))
    }

    /// The bytes from the frame's start to its plane of colors; nil when it has no such plane, or
    /// no height.
    public var chromaOffset: Int? { format == .nv12 ? height.map { stride * $0 } : nil }

    /// The rows in the plane of colors for `rows` rows of luma.
    private func chromaRows(_ rows: Int) -> Int { format == .nv12 ? (rows + 1) / 2 : 0 }

    /// The minimum number of bytes that hold `rows` rows: the last one needs no padding; 1 for
    /// `jpeg`.
    package func leastBytes(rows: Int) -> Int {
        if format == .jpeg { return 1 }
        return rows == 0
            ? 0 : byteCount(rows: rows) - stride + format.minimumStride(width: width)
    }

    /// The number of whole rows in `bytes` bytes; a frame without rows has all of them or none.
    package func wholeRows(in bytes: Int) -> Int {
        guard stride > 0 else { return 0 }
        let rows = bytes / stride + (bytes % stride >= format.minimumStride(width: width) ? 1 : 0)
        // The bytes after the luma are colors, and no further rows.
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

/// The encoded picture from which a page was decoded, so that an unchanged page can be passed on
/// without encoding it again.
public struct EncodedOriginal: Hashable, Sendable {
    /// The media type; only `image/jpeg` is passed on so far.
    public var mediaType: String
    /// The encoded bytes.
    ///
    /// Decoding them gives exactly the frame's pixels, with no rotation left to apply.
    public var bytes: [UInt8]

    /// An encoded original.
    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
