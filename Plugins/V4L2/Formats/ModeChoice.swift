/// The mode in which a camera streams: format, size and rate.
struct ModeChoice: Hashable, Sendable {
    var mode: CameraMode
    /// The interval to request; nil when the driver does not list its intervals.
    var interval: FrameInterval?

    /// The expected frames per second.
    var rate: Double { interval?.rate ?? CameraMode.presumedRate }

    /// The maximum number of pixels of a live frame, unless a size is requested: more would take
    /// time and improve little.
    private static let liveArea = 1920 * 1200
    /// The minimum number of frames per second that a live picture should have.
    private static let liveRate = 15.0
    /// The frames per second that a raw still should have, because the camera must settle first.
    private static let stillRate = 4.5

    /// The mode for frames of `size` at `rate` frames per second.
    ///
    /// The rate comes first: of the formats that reach nine tenths of the fastest rate (limited to
    /// the requested one), the cheapest is used. So 10 frames per second of YUYV never beat 30 of
    /// Motion JPEG. Gray is used only if there is no color.
    ///
    /// - Returns: nil when no mode that can be used has this size.
    static func live(_ modes: [CameraMode], size: FrameSize, rate: Double) -> ModeChoice? {
        let fitting = inColor(usable(modes).filter { $0.size == size })
        let best = fitting.map { min($0.fastest, rate) }.max() ?? 0
        let mode =
            fitting.filter { min($0.fastest, rate) >= 0.9 * best }
            .min { rank($0) < rank($1) }
        return mode.map { ModeChoice(mode: $0, interval: $0.interval(for: rate)) }
    }

    /// The mode for one picture of `size`: a raw one if the camera sends at least four per second,
    /// or else a compressed one.
    static func still(_ modes: [CameraMode], size: FrameSize) -> ModeChoice? {
        let fitting = inColor(usable(modes).filter { $0.size == size })
        let raw = fitting.filter { FrameRoute($0.format)?.isCompressed == false }
        let mode =
            raw.filter { $0.fastest >= stillRate }.min { rank($0) < rank($1) }
            ?? fitting.first { FrameRoute($0.format)?.isCompressed == true }
            ?? raw.max { $0.fastest < $1.fastest }
        return mode.map { ModeChoice(mode: $0, interval: $0.intervals.first) }
    }

    /// The size of live frames unless another is asked for: the largest of about two million pixels
    /// that the camera sends 15 times a second.
    static func liveSize(_ modes: [CameraMode]) -> FrameSize? {
        let modes = usable(modes)
        let moderate = modes.filter { $0.size.area <= liveArea }
        let fast = moderate.filter { $0.fastest >= liveRate }
        if let size = fast.map(\.size).max() { return size }
        // If no size is fast enough, the fastest is used, and of those the largest.
        let candidates = moderate.isEmpty ? modes : moderate
        return candidates.max { ($0.fastest, $0.size) < ($1.fastest, $1.size) }?.size
    }

    /// The size of a still unless another is asked for: the largest.
    static func stillSize(_ modes: [CameraMode]) -> FrameSize? { usable(modes).map(\.size).max() }

    /// The modes whose frames can be decoded.
    static func usable(_ modes: [CameraMode]) -> [CameraMode] {
        modes.filter { FrameRoute($0.format) != nil }
    }

    private static func inColor(_ modes: [CameraMode]) -> [CameraMode] {
        let colored = modes.filter { FrameRoute($0.format)?.hasColor == true }
        return colored.isEmpty ? modes : colored
    }

    private static func rank(_ mode: CameraMode) -> Int { FrameRoute(mode.format)?.rank ?? .max }
}
