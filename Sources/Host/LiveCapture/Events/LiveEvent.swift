public import CaptureHost
public import Detection
public import Imaging

/// An event during the watch of a camera or recording.
public enum LiveEvent: Sendable {
    /// A frame was examined.
    case seen(LiveView)
    /// A page is being captured by hand; ``seen(_:)`` reports automatic captures.
    case capturing(time: Double)
    /// A page is safe in the spool.
    case captured(LivePage)
    /// A page could not be captured; another attempt may follow.
    case missed(time: Double, HostError)
    /// The camera is gone, for example unplugged; the watch waits for it.
    case lost(time: Double, HostError)
    /// The camera is back.
    case back(time: Double)
    /// A sentence that the user should read.
    case note(time: Double, String)
    /// The watch has ended.
    case ended(time: Double, LiveStatistics)

    /// The seconds since the watch began; for a recording, since its start.
    public var time: Double {
        switch self {
        case .seen(let view): view.time
        case .capturing(let time), .missed(let time, _), .lost(let time, _), .back(let time),
            .note(let time, _), .ended(let time, _):
            time
        case .captured(let page): page.time
        }
    }
}

/// The result of examining a frame.
public struct LiveView: Sendable {
    /// The seconds since the watch began; for a recording, since its start.
    public var time: Double
    /// The page's stage, and the reason why it is not captured yet.
    public var status: LiveStatus
    /// The page's corners in pixels of the frame; nil for none.
    public var quad: Quad?
    /// The frame's width in pixels.
    public var width: Int
    /// The frame's height in pixels.
    public var height: Int
    /// The recent number of examined frames per second, by the frames' own times; 0 before the
    /// second one.
    public var rate: Double
    /// The seconds that the search for the page took in this frame; nil without a search.
    public var searchTime: Double?
    /// Pages captured so far.
    public var pages: Int
}

/// A page that was captured.
public struct LivePage: Sendable {
    /// The page's number, from 1.
    public var number: Int
    /// The time of the capture, as in ``LiveView/time``.
    public var time: Double
    /// The page's corners in pixels of the picture, refined at full size; nil for the whole
    /// picture.
    public var quad: Quad?
    /// The picture's width in pixels.
    public var width: Int
    /// The picture's height in pixels.
    public var height: Int
    /// True when the page was captured by hand.
    public var isByHand: Bool
    /// True for a still, false for a live frame.
    public var isStill: Bool
}
