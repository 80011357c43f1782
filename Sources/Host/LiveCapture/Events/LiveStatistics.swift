/// Measures how the time of a live capture was spent, and which frames were not used.
public struct LiveStatistics: Sendable {
    /// A stage in the processing of a frame.
    public enum Stage: String, Sendable, CaseIterable {
        /// Reading the brightness at a reduced size.
        case luma
        /// Searching for the page.
        case detect
        /// A closer search when the page is still and the first result was uncertain.
        case closer
        /// Following and measuring the page, and deciding about it.
        case decide
        /// Changing to a still, from the last frame before it until it has arrived.
        case change
        /// Decoding, refining and storing a captured page.
        case still
    }

    /// The time of one stage.
    public struct Time: Sendable {
        /// The number of runs.
        public var count = 0
        /// The total seconds.
        public var total = 0.0
        /// The seconds of the longest run.
        public var longest = 0.0
        /// The seconds of the last run.
        public var last = 0.0

        /// The average milliseconds of a run; 0 without runs.
        public var mean: Double { count > 0 ? 1000 * total / Double(count) : 0 }
    }

    /// The time of each stage.
    public internal(set) var times: [Stage: Time] = [:]
    /// Frames that arrived from the device.
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
    /// The seconds of the whole watch.
    public internal(set) var seconds = 0.0

    /// Runs a stage and counts its time.
    mutating func measure<Value>(_ stage: Stage, _ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { record(stage, (ContinuousClock.now - start) / .seconds(1)) }
        return try body()
    }

    /// Counts a stage that took this many seconds.
    mutating func record(_ stage: Stage, _ seconds: Double) {
        var time = times[stage, default: Time()]
        time.count += 1
        time.total += seconds
        time.longest = max(time.longest, seconds)
        time.last = seconds
        times[stage] = time
    }
}
