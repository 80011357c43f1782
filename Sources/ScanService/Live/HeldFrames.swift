import CaptureHost
import Imaging

/// A frame that is kept because it may become the page.
struct HeldFrame: Sendable {
    let frame: CapturedPage
    /// When it was taken.
    let time: Double
    /// The page's corners in pixels of the frame; nil when none was found.
    let quad: Quad?
    /// How sharp the page is; 0 where that can't be told.
    let sharpness: Double

    /// The frame as if no page had been found in it.
    var withoutQuad: HeldFrame {
        HeldFrame(frame: frame, time: time, quad: nil, sharpness: sharpness)
    }
}

/// The last few frames of a page that lies still, of which the sharpest becomes the page.
struct HeldFrames: Sendable {
    /// The most frames that are held: half of the buffers that a camera's frames take turns in.
    static let most = 4
    private var frames: [HeldFrame] = []

    /// Keeps a frame; the least sharp one goes when there is no more room.
    mutating func keep(_ frame: HeldFrame) {
        frames.append(frame)
        guard frames.count > Self.most,
            let least = frames.indices.min(by: { frames[$0].sharpness < frames[$1].sharpness })
        else { return }
        frames.remove(at: least).frame.release()
    }

    /// Lets go of the frames taken before `time`; of all unless it is given.
    mutating func drop(before time: Double = .infinity) {
        for held in frames where held.time < time { held.frame.release() }
        frames.removeAll { $0.time < time }
    }

    /// The frames, the sharpest first, of equally sharp ones the newest.
    var bySharpness: [HeldFrame] {
        frames.sorted { ($0.sharpness, $0.time) > ($1.sharpness, $1.time) }
    }
}
