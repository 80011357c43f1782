public import CaptureHost
public import Detection
public import Imaging

/// What happens while a camera or a recording is watched, reported as it happens.
public enum LiveEvent: Sendable {
    /// A frame was examined.
    case seen(LiveView)
    /// A page is being captured by hand; ``seen(_:)`` reports others.
    case capturing(time: Double)
    /// A page is safe in the spool.
    case captured(LivePage)
    /// A page could not be captured; it may be tried again.
    case missed(time: Double, HostError)
    /// The camera is gone, such as unplugged; it is waited for.
    case lost(time: Double, HostError)
    /// The camera is back.
    case back(time: Double)
    /// Something its user should know, in a sentence.
    case note(time: Double, String)
    /// The watching is over.
    case ended(time: Double, LiveStatistics)

    /// Seconds since the watching began; for a recording, since its start.
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

/// What was seen in a frame.
public struct LiveView: Sendable {
    /// Seconds since the watching began; for a recording, since its start.
    public var time: Double
    /// The stage of the page, and why it is not captured yet.
    public var status: LiveStatus
    /// The page's corners in pixels of the frame; nil when none is seen.
    public var quad: Quad?
    /// The frame's width in pixels.
    public var width: Int
    /// The frame's height in pixels.
    public var height: Int
    /// Frames per second that were examined recently, by the times at which they were taken; 0
    /// before the second one.
    public var rate: Double
    /// Seconds that the search of this frame for the page took; nil where nothing is searched for.
    public var searchTime: Double?
    /// Pages captured so far.
    public var pages: Int
}

/// A page that was captured.
public struct LivePage: Sendable {
    /// Its number, from 1.
    public var number: Int
    /// When it was captured, as ``LiveView/time``.
    public var time: Double
    /// Its corners in pixels of the picture, refined at full size; nil when the whole picture was
    /// taken.
    public var quad: Quad?
    /// The picture's width in pixels.
    public var width: Int
    /// The picture's height in pixels.
    public var height: Int
    /// True when it was captured by hand.
    public var isByHand: Bool
    /// True for a still, false for a frame of the film.
    public var isStill: Bool
}
