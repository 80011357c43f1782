/// Pixels across and down.
struct FrameSize: Hashable, Sendable, Comparable, CustomStringConvertible {
    var width: Int
    var height: Int

    /// The number of pixels in a frame.
    var area: Int { width * height }

    var description: String { "\(width)x\(height)" }

    /// A size by its description.
    init?(_ text: String) {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, "\(sides[0])x\(sides[1])" == text else { return nil }
        self.init(width: sides[0], height: sides[1])
    }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    static func < (one: FrameSize, other: FrameSize) -> Bool {
        (one.area, one.width) < (other.area, other.width)
    }
}

/// The time between two frames, as a fraction of seconds (`v4l2_fract`).
struct FrameInterval: Hashable, Sendable {
    var numerator: UInt32
    var denominator: UInt32

    /// A fraction above 0; nil for impossible values from a driver.
    init?(_ numerator: UInt32, _ denominator: UInt32) {
        guard numerator > 0, denominator > 0 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Frames per second.
    var rate: Double { Double(denominator) / Double(numerator) }
}

/// A size in a format, with the rates at which the camera delivers it.
struct CameraMode: Hashable, Sendable {
    var format: FourCC
    var size: FrameSize
    /// The size's intervals, the shortest first; empty when the driver does not say.
    var intervals: [FrameInterval]

    /// The assumed rate of a driver that does not report one.
    static let presumedRate = 30.0

    init(_ format: FourCC, _ size: FrameSize, _ intervals: [FrameInterval]) {
        self.format = format
        self.size = size
        self.intervals = intervals.sorted { $0.rate > $1.rate }
    }

    /// The maximum number of frames per second.
    var fastest: Double { intervals.first?.rate ?? CameraMode.presumedRate }

    /// The interval for a requested rate: the slowest that reaches it, otherwise the fastest; nil
    /// when the driver does not say.
    func interval(for rate: Double) -> FrameInterval? {
        // A rate of 29.97 frames per second counts as 30.
        intervals.last { $0.rate >= rate * 0.99 } ?? intervals.first
    }
}
