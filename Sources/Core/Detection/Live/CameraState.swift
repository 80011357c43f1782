/// What a camera itself says about how it took a frame; each may be unknown.
public struct CameraState: Hashable, Sendable {
    /// Seconds of exposure.
    public var exposure: Double?
    /// The factor of amplification; 1 for none.
    public var gain: Double?
    /// Where it is focused, in diopters; 0 for infinity.
    public var focus: Double?

    /// A state; nothing is known unless given.
    public init(exposure: Double? = nil, gain: Double? = nil, focus: Double? = nil) {
        self.exposure = exposure
        self.gain = gain
        self.focus = focus
    }

    /// By how much the light that is gathered may change from one frame to the next, as a factor: a
    /// tenth of a stop, which no eye sees.
    private static let stillLight = 1.07
    /// By how many diopters the focus may: the depth of field of a document camera at 30 cm
    /// (3.3 diopters) is a tenth or more.
    private static let stillFocus = 0.05

    /// Whether the camera adjusted itself between an earlier frame and this one; false where it
    /// does not say.
    func isAdjusted(since earlier: CameraState) -> Bool {
        if let focus, let before = earlier.focus, abs(focus - before) > Self.stillFocus {
            return true
        }
        guard let light, let before = earlier.light else { return false }
        return max(light, before) > Self.stillLight * min(light, before)
    }

    /// Exposure times gain; nil when the exposure is unknown or none.
    private var light: Double? {
        guard let exposure, exposure > 0 else { return nil }
        return exposure * (gain.map { $0 > 0 ? $0 : 1 } ?? 1)
    }
}
