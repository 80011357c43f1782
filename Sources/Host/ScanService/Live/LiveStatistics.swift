/// Where the time of a live capture went, and which frames were not used.
public struct LiveStatistics: Sendable {
    /// A stage of a frame's way.
    public enum Stage: String, Sendable, CaseIterable {
        /// Reading the brightness at a reduced size.
        case luma
        /// Searching the page.
        case detect
        /// A closer search when the page is still and one look left doubt.
        case closer
        /// Following it, measuring it and deciding.
        case decide
        /// Taking a page as a still, from the last frame before it until it has arrived.
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
    /// Frames that were examined.
    public internal(set) var looked = 0
    /// Frames that were replaced by a newer one while another was being examined.
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

    /// Counts a stage that took this many seconds.
    mutating func took(_ stage: Stage, _ seconds: Double) {
        var time = times[stage, default: Time()]
        time.count += 1
        time.total += seconds
        time.longest = max(time.longest, seconds)
        time.last = seconds
        times[stage] = time
    }
}
