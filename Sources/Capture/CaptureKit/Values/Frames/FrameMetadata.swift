/// A camera's settings for a frame; every field is nil if unknown.
public struct FrameMetadata: Codable, Hashable, Sendable {
    /// The exposure time in seconds.
    public var exposure: Double?
    /// The factor by which the sensor's signal was amplified; 1 for none.
    public var gain: Double?
    /// The focus in diopters (one divided by the distance in meters); 0 for infinity.
    public var focus: Double?
    /// The sensor's temperature in degrees Celsius.
    public var temperature: Double?
    /// The time of exposure, in seconds on the machine's monotonic clock (`CLOCK_MONOTONIC`).
    public var monotonic: Double?

    /// Metadata; every field that is not given is unknown.
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

    /// The impossible value, in words; nil for none.
    package var impossibility: String? {
        fault("exposure", exposure, 0...1e6) ?? fault("gain", gain, 0...1e6)
            ?? fault("focus", focus, 0...1e6) ?? fault("temperature", temperature, -273.15...1e4)
            ?? fault("monotonic", monotonic, 0...1e12)
    }

    // The compiler writes a loop over a list of these in another order in each build.
    private func fault(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) -> String? {
        guard let value, !range.contains(value) else { return nil }
        return "\(name) \(value) is not within \(range.lowerBound)…\(range.upperBound)"
    }
}
