/// How a live capture goes, besides the order for its document.
public struct LiveOptions: Sendable {
    /// When a page is taken again as a still, in the camera's own size for these, in place of the
    /// frame in which it was seen.
    public enum Stills: String, Sendable, CaseIterable {
        /// Where stills have half as many pixels again as frames, and for as long as the change
        /// does not take too long.
        case auto
        /// Every page, however long it takes.
        case always
        /// Never: a page is the sharpest of the frames.
        case never
    }

    /// How long nothing may be captured before it ends; nil for ever.
    public var idle: Duration?
    /// True when pages are captured by hand only.
    public var isManual: Bool
    /// When pages are taken as stills.
    public var stills: Stills

    /// Options; by itself, without an end and with stills where they gain by it, unless told
    /// otherwise.
    public init(idle: Duration? = nil, isManual: Bool = false, stills: Stills = .auto) {
        self.idle = idle
        self.isManual = isManual
        self.stills = stills
    }
}
