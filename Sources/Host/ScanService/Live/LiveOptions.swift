/// The settings of a live capture, besides the order for its document.
public struct LiveOptions: Sendable {
    /// When a page is taken as a still, at the camera's still size, instead of the frame in which
    /// it was seen.
    public enum Stills: String, Sendable, CaseIterable {
        /// If stills have at least half as many pixels again as frames, and as long as the change
        /// does not take too long.
        case auto
        /// Every page, however long it takes.
        case always
        /// Never: a page comes from the live frames.
        case never
    }

    /// How long it may capture nothing before it ends; nil for no limit.
    public var idle: Duration?
    /// True when pages are captured by hand only.
    public var isManual: Bool
    /// When pages are taken as stills.
    public var stills: Stills

    /// Options; automatic, without an end, and with stills if they are better, unless specified
    /// otherwise.
    public init(idle: Duration? = nil, isManual: Bool = false, stills: Stills = .auto) {
        self.idle = idle
        self.isManual = isManual
        self.stills = stills
    }
}
