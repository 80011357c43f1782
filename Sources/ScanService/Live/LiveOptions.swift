/// How a live capture goes, besides the order for its document.
public struct LiveOptions: Sendable {
    /// How long nothing may be captured before it ends; nil for ever.
    public var idle: Duration?
    /// True when pages are captured by hand only.
    public var isManual: Bool

    /// Options; by itself and without an end unless told otherwise.
    public init(idle: Duration? = nil, isManual: Bool = false) {
        self.idle = idle
        self.isManual = isManual
    }
}
