/// What was seen in one examined frame.
public struct LiveObservation: Sendable {
    /// When the frame was taken, in seconds on any steady clock.
    public var time: Double
    /// The page that is followed; nil for none.
    public var page: TrackedPage?
    /// The frame's width in the pixels in which the page is given.
    public var width: Int
    /// The frame's height in those pixels.
    public var height: Int
    /// How well the page can be seen; nil when it was not measured.
    public var measures: PageMeasures?
    /// What the page looks like; nil if it was not examined.
    public var signature: PageSignature?
    /// How much of the page's place in the previous frame has changed since, 0…1; nil if it was not
    /// examined.
    ///
    /// Unlike two signatures, it compares one place, so that jumping corners on a still page don't
    /// count.
    public var motion: Double?
    /// What the camera says about how it took the frame; nil if it says nothing.
    public var camera: CameraState?

    /// An observation; of a frame without a page unless more is given.
    public init(
        time: Double, page: TrackedPage? = nil, width: Int, height: Int,
        measures: PageMeasures? = nil, signature: PageSignature? = nil, motion: Double? = nil,
        camera: CameraState? = nil
    ) {
        self.time = time
        self.page = page
        self.width = width
        self.height = height
        self.measures = measures
        self.signature = signature
        self.motion = motion
        self.camera = camera
    }
}

/// The stage of a page before its capture.
public enum LiveState: String, Codable, Hashable, Sendable, CaseIterable {
    /// No page is seen.
    case searching
    /// There is a page; the search is not sure enough of it.
    case found
    /// There is a page to capture, as soon as nothing is in the way.
    case ready
    /// The page is being captured.
    case capturing
}

/// Why a page is not captured yet.
public enum WaitReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// No page is seen.
    case noPage
    /// The edges of the page are not clear enough.
    case unclear
    /// A part of the page is outside the picture.
    case cutOff
    /// The page takes too little of the picture.
    case tooSmall
    /// There is too little light.
    case tooDark
    /// A reflection covers a part of the page.
    case glare
    /// The page, or something in front of it, moves.
    case moving
    /// The picture is less sharp than it was before.
    case blurred
    /// The camera is changing its exposure or its focus.
    case adjusting
    /// This page was captured before.
    case captured
    /// Pages are captured by hand only.
    case byHand

    /// What to do, for people, without a full stop.
    public var advice: String {
        switch self {
        case .noPage: "no page in view"
        case .unclear: "the page's edges are not clear"
        case .cutOff: "move the page fully into view"
        case .tooSmall: "too small"
        case .tooDark: "too dark"
        case .glare: "glare"
        case .moving: "hold still"
        case .blurred: "not sharp yet"
        case .adjusting: "the camera is adjusting"
        case .captured: "captured; ready for the next page"
        case .byHand: "press the space bar"
        }
    }
}

/// What a live capture reports about a frame.
public struct LiveStatus: Hashable, Sendable {
    /// How far the page is.
    public var state: LiveState
    /// Why it is not captured yet; nil while it is being captured.
    public var reason: WaitReason?
    /// How sure the search is of the page, 0…1; 0 without one.
    public var confidence: Double
    /// How sharp the page is, as a fraction of the session's best; nil when it has no edges to
    /// judge by.
    public var sharpness: Double?
    /// Since when the page has been still, on the observations' clock; nil while it moves.
    public var steadySince: Double?
}
