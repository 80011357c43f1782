/// The thresholds for capturing a page automatically.
public struct AutoCaptureSettings: Hashable, Sendable {
    /// The minimum confidence, 0…1, for a page to count as found; 0.6 unless set.
    public var found = 0.6
    /// The minimum confidence, 0…1, for a page to be captured; 0.85 unless set.
    public var ready = 0.85
    /// The amount by which the confidence may fall below ``found`` and ``ready`` before the page
    /// loses that state; 0.1 unless set.
    public var hysteresis = 0.1
    /// Seconds for which a page must lie still; 0.5 unless set.
    public var steady = 0.5
    /// The farthest that a corner may move in that time, as a fraction of the page's diagonal;
    /// 0.008 unless set.
    public var drift = 0.008
    /// The minimum overlap of the page with itself in that time, as intersection over union; 0.97
    /// unless set.
    public var overlap = 0.97
    /// The minimum sharpness, as a fraction of the session's best; 0.6 unless set.
    public var sharpness = 0.6
    /// Seconds after which a still page is captured even if it is less sharp; 2
    /// unless set.
    public var patience = 2.0
    /// The minimum brightness of paper, 0…255; 50 unless set.
    public var brightness = 50.0
    /// The maximum fraction of the page, 0…1, that a reflection may burn out; 0.01 unless set.
    public var glare = 0.01
    /// The minimum fraction of the frame, 0…1, that a page must cover; 0.08 unless set.
    public var size = 0.08
    /// The possible shapes of captured things, each as the longer side over the shorter; empty,
    /// for any shape, unless set.
    public var shapes: [Double] = []
    /// The maximum number of frames per second that are searched; 12 unless set.
    public var rate = 12.0
    /// True when the first view is the empty stand and not a page, as with a fixed region; false
    /// unless set.
    public var beginsEmpty = false
    /// True when pages are only captured by hand; false unless set.
    public var isManual = false

    /// The usual settings.
    public init() {}
}
