/// The result of examining one frame.
public struct LiveObservation: Sendable {
    /// The time of the frame in seconds, on any steady clock.
    public var time: Double
    /// The followed page; nil for none.
    public var page: TrackedPage?
    /// The frame's width, in the pixels of the page's corners.
    public var width: Int
    /// The frame's height, in the same pixels.
    public var height: Int
    /// The page's sharpness and light; nil if they were not measured.
    public var measures: PageMeasures?
    /// The page's appearance; nil if it was not examined.
    public var signature: PageSignature?
    /// The part of the page's area in the previous frame that has changed since, 0…1; nil if it was
    /// not examined.
    ///
    /// It compares the same area in both frames, so that jumping corners on a still page don't
    /// count.
    public var motion: Double?
    /// The camera's report of its settings for the frame; nil for none.
    public var camera: CameraState?

    /// An observation; without a page unless more is given.
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
    /// No page is visible.
    case searching
    /// A page is visible, but the search is not certain enough.
    case found
    /// A page can be captured, as soon as no reason to wait is left.
    case ready
    /// The page is being captured.
    case capturing
}

/// The reasons why a page is not captured yet.
public enum WaitReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// No page is visible.
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

    /// The advice for people, without a period.
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

/// The report of a live capture about a frame.
public struct LiveStatus: Hashable, Sendable {
    /// The page's stage.
    public var state: LiveState
    /// The reason why the page is not captured yet; nil while it is captured.
    public var reason: WaitReason?
    /// The confidence of the search, 0…1; 0 without a page.
    public var confidence: Double
    /// The page's sharpness, as a fraction of the session's best; nil when the page has too few
    /// edges.
    public var sharpness: Double?
    /// The time from which the page has been still, on the observations' clock; nil while it moves.
    public var steadySince: Double?
}
