/// A camera's own report of its settings for a frame; every field is nil if unknown.
public struct CameraState: Hashable, Sendable {
    /// The exposure time in seconds.
    public var exposure: Double?
    /// The factor of amplification; 1 for none.
    public var gain: Double?
    /// The focus in diopters; 0 for infinity.
    public var focus: Double?

    /// A state; every field that is not given is unknown.
    public init(exposure: Double? = nil, gain: Double? = nil, focus: Double? = nil) {
        self.exposure = exposure
        self.gain = gain
        self.focus = focus
    }

    /// The factor by which exposure times gain may change between two frames: a tenth of a stop,
    /// which no one sees.
    private static let stillLight = 1.07
    /// The diopters by which the focus may change: a document camera's depth of field at 30 cm (3.3
    /// diopters) is a tenth or more.
    private static let stillFocus = 0.05

    /// True if the camera adjusted itself between an earlier frame and this one; false if unknown.
    func isAdjusted(since earlier: CameraState) -> Bool {
        if let focus, let before = earlier.focus, abs(focus - before) > Self.stillFocus {
            return true
        }
        guard let light, let before = earlier.light else { return false }
        return max(light, before) > Self.stillLight * min(light, before)
    }

    /// Exposure time times gain; nil when the exposure is unknown or 0.
    private var light: Double? {
        guard let exposure, exposure > 0 else { return nil }
        return exposure * (gain.map { $0 > 0 ? $0 : 1 } ?? 1)
    }
}
