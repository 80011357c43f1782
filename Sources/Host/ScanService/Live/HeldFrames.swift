import CaptureHost
import Imaging

/// A frame that is kept because it may become the page.
struct HeldFrame: Sendable {
    let frame: CapturedPage
    /// The time at which it was taken.
    let time: Double
    /// The page's corners in pixels of the frame; nil when none was found.
    let quad: Quad?
    /// How sharp the page is; 0 if unknown.
    let sharpness: Double

    /// The frame as if no page had been found in it.
    var withoutQuad: HeldFrame {
        HeldFrame(frame: frame, time: time, quad: nil, sharpness: sharpness)
    }
}

/// The last few frames of a still page; the newest sharp one becomes the page.
///
/// Not the sharpest: frames of a still page differ in sharpness by noise, and in the earliest of
/// them fingers may still be at its rim.
struct HeldFrames: Sendable {
    /// The most frames that are held: half of the buffers that a camera's frames take turns in.
    static let most = 4
    /// A frame is sharp when it has at least this fraction of the highest sharpness; noise accounts
    /// for a hundredth.
    private static let sharp = 0.97
    private var frames: [HeldFrame] = []

    /// Keeps a frame; the last of them in ``bestFirst`` is released when there is no more room.
    mutating func keep(_ frame: HeldFrame) {
        frames.append(frame)
        guard frames.count > Self.most else { return }
        frames = bestFirst
        frames.removeLast().frame.release()
    }

    /// Releases the frames taken before `time`; all of them unless it is given.
    mutating func drop(before time: Double = .infinity) {
        for held in frames where held.time < time { held.frame.release() }
        frames.removeAll { $0.time < time }
    }

    /// The frames: those that are sharp, the newest first, and then the others, the sharpest first.
    var bestFirst: [HeldFrame] {
        let least = Self.sharp * (frames.map(\.sharpness).max() ?? 0)
        let sharp = frames.filter { $0.sharpness >= least }.sorted { $0.time > $1.time }
        let others = frames.filter { $0.sharpness < least }.sorted {
            ($0.sharpness, $0.time) > ($1.sharpness, $1.time)
        }
        return sharp + others
    }
}
