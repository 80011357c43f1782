/// The settings of a live capture, besides the order for its document.
public struct LiveOptions: Sendable {
    /// The condition for capturing a page as a still, at the camera's still size, instead of as a
    /// live frame.
    public enum Stills: String, Sendable, CaseIterable {
        /// Stills are captured if they have at least 1.5 times as many pixels as frames, and
        /// changing to them is quick enough.
        case auto
        /// Every page is captured as a still, however long it takes.
        case always
        /// No page is captured as a still: pages come from the live frames.
        case never
    }

    /// The time without a capture after which the watch ends; nil for no limit.
    public var idle: Duration?
    /// True when pages are only captured by hand.
    public var isManual: Bool
    /// The condition for capturing pages as stills.
    public var stills: Stills

    /// Options; automatic, without an end, and with stills if they are better, unless specified
    /// otherwise.
    public init(idle: Duration? = nil, isManual: Bool = false, stills: Stills = .auto) {
        self.idle = idle
        self.isManual = isManual
        self.stills = stills
    }
}
