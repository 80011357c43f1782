/// The first line of a YUV4MPEG2 file (yuv4mpeg(5) of mjpegtools).
struct Y4MHeader: Hashable, Sendable {
    /// The number of pixels that share a sample of color.
    enum Chroma: Hashable, Sendable {
        /// No color.
        case none
        /// Two by two pixels.
        case c420
        /// Two pixels of a row share a sample.
        case c422
        /// Each pixel has its own sample.
        case c444
    }

    /// The width of a frame in pixels.
    private(set) var width = 0
    /// The height of a frame in pixels.
    private(set) var height = 0
    /// The arrangement of color samples.
    private(set) var chroma = Chroma.c420
    /// True when samples use 0…255 and not 16…235.
    private(set) var isFullRange = false
    /// Frames per second; nil when the line does not state the rate.
    private(set) var rate: Double?

    /// Columns of a plane of color.
    var chromaWidth: Int {
        switch chroma {
        case .none: 0
        case .c420, .c422: (width + 1) / 2
        case .c444: width
        }
    }
    /// Rows of a plane of color.
    var chromaHeight: Int {
        switch chroma {
        case .none: 0
        case .c420: (height + 1) / 2
        case .c422, .c444: height
        }
    }
    /// Bytes of a frame's planes.
    var frameBytes: Int { width * height + 2 * chromaWidth * chromaHeight }

    /// Reads the line without its end, such as `YUV4MPEG2 W640 H480 F30:1 Ip C420jpeg`; unknown
    /// parameters are passed over.
    init(_ line: [UInt8], limits: ImportLimits) throws(DecodeFault) {
        let text = String(decoding: line, as: UTF8.self)
        for word in text.split(separator: " ").dropFirst() {
            let value = word.dropFirst()
            switch word.first {
            case "W": width = try Self.side(value)
            case "H": height = try Self.side(value)
            case "F": rate = Self.rate(value)
            case "C": chroma = try Self.chroma(value)
            default: if word == "XCOLORRANGE=FULL" { isFullRange = true }
            }
        }
        guard width > 0, height > 0 else {
            throw .damaged("it does not state the size of its frames")
        }
        // The memory holds the planes of a frame, and the converted frame.
        try limits.check(width: width, height: height, bytesPerPixel: 6)
    }

    private static func side(_ text: Substring) throws(DecodeFault) -> Int {
        guard text.utf8.count <= 9, let number = Int(text), number > 0 else {
            throw .damaged("its frames have a side of '\(printable(String(text.prefix(20))))'")
        }
        return number
    }

    private static func rate(_ text: Substring) -> Double? {
        let parts = text.split(separator: ":").map { Int($0) }
        guard parts.count == 2, let count = parts[0], let seconds = parts[1], count > 0, seconds > 0
        else { return nil }
        return Double(count) / Double(seconds)
    }

    private static func chroma(_ text: Substring) throws(DecodeFault) -> Chroma {
        switch text {
        case "420", "420jpeg", "420mpeg2", "420paldv": return .c420
        case "422": return .c422
        case "444": return .c444
        case "mono": return .none
        default:
            throw .unsupported(
                "its samples are of the form '\(printable(String(text.prefix(20))))', not 420, 422, 444 or mono of 8 bits"
            )
        }
    }
}
