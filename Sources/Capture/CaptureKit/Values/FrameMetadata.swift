/// How a camera took a frame; each field may be unknown.
public struct FrameMetadata: Codable, Hashable, Sendable {
    /// How long it was exposed, in seconds.
    public var exposure: Double?
    /// By how much the sensor's signal was amplified; 1 for not at all.
    public var gain: Double?
    /// Where it was focused, in diopters (one divided by the distance in meters); 0 for infinity.
    public var focus: Double?
    /// The sensor's temperature in degrees Celsius.
    public var temperature: Double?
    /// When it was exposed, in seconds on the machine's monotonic clock (`CLOCK_MONOTONIC`).
    public var monotonic: Double?

    /// Metadata; nothing is known unless given.
    public init(
        exposure: Double? = nil, gain: Double? = nil, focus: Double? = nil,
        temperature: Double? = nil, monotonic: Double? = nil
    ) {
        self.exposure = exposure
        self.gain = gain
        self.focus = focus
        self.temperature = temperature
        self.monotonic = monotonic
    }

    /// What is impossible about it, in words; nil if nothing is.
    package var impossibility: String? {
        for (name, value, range) in [
            ("exposure", exposure, 0...1e6), ("gain", gain, 0...1e6), ("focus", focus, 0...1e6),
            ("temperature", temperature, -273.15...1e4), ("monotonic", monotonic, 0...1e12),
        ] {
            if let value, !range.contains(value) {
                return "\(name) \(value) is not within \(range.lowerBound)…\(range.upperBound)"
            }
        }
        return nil
    }
}
