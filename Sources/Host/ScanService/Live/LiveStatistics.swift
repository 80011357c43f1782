/// Where the time of a live capture went, and which frames were not used.
public struct LiveStatistics: Sendable {
    /// A stage of a frame's way.
    public enum Stage: String, Sendable, CaseIterable {
        /// Reading the brightness at a reduced size.
        case luma
        /// Searching the page.
        case detect
        /// Searching it closely where it is still and one look left it in doubt.
        case closer
        /// Following it, measuring it and deciding.
        case decide
        /// Taking a page again in the size of stills, from the last frame before it to when it is
        /// there.
        case change
        /// Decoding, refining and storing a page that is captured.
        case still
    }

    /// The time of one stage.
    public struct Time: Sendable {
        /// How often it ran.
        public var count = 0
        /// Seconds in all.
        public var total = 0.0
        /// Seconds of the longest run.
        public var longest = 0.0
        /// Seconds of the last run.
        public var last = 0.0

        /// Milliseconds a run took on the average; 0 when it never ran.
        public var mean: Double { count > 0 ? 1000 * total / Double(count) : 0 }
    }

    /// The time of each stage.
    public internal(set) var times: [Stage: Time] = [:]
    /// Frames that came from the device.
    public internal(set) var frames = 0
    /// Frames that were looked at.
    public internal(set) var looked = 0
    /// Frames that a newer one overtook while another was looked at.
    public internal(set) var overtaken = 0
    /// Frames for which no buffer was free.
    public internal(set) var dropped = 0
    /// Frames that could not be read.
    public internal(set) var damaged = 0
    /// Pages that were captured.
    public internal(set) var pages = 0
    /// Seconds that the watching took.
    public internal(set) var seconds = 0.0

    /// Runs a stage and counts its time.
    mutating func measure<Value>(_ stage: Stage, _ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { took(stage, (ContinuousClock.now - start) / .seconds(1)) }
        return try body()
    }

    /// Counts a stage that took that many seconds.
    mutating func took(_ stage: Stage, _ seconds: Double) {
        var time = times[stage, default: Time()]
        time.count += 1
        time.total += seconds
        time.longest = max(time.longest, seconds)
        time.last = seconds
        times[stage] = time
    }
}
