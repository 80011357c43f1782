import CaptureHost
import Imaging

/// A frame that is kept because it may become the page.
struct HeldFrame: Sendable {
    let frame: CapturedPage
    /// The time of the frame.
    let time: Double
    /// The page's corners in pixels of the frame; nil for none.
    let quad: Quad?
    /// The page's sharpness; 0 if unknown.
    let sharpness: Double

    /// The frame without the page's corners.
    var withoutQuad: HeldFrame {
        HeldFrame(frame: frame, time: time, quad: nil, sharpness: sharpness)
    }
}

/// The last few frames of a still page; the newest sharp one becomes the page.
///
/// It is not the sharpest one: frames of a still page differ in sharpness by noise, and the
/// earliest ones may show fingers at the rim.
struct HeldFrames: Sendable {
    /// The maximum number of held frames: half of the buffers that a camera's frames use in turn.
    static let most = 4
    /// A frame is sharp when it has at least this fraction of the highest sharpness; noise changes
    /// it by a hundredth.
    private static let sharp = 0.97
    private var frames: [HeldFrame] = []

    /// Holds a frame; if there is no room, releases the last one of ``bestFirst``.
    mutating func keep(_ frame: HeldFrame) {
        frames.append(frame)
        guard frames.count > Self.most else { return }
        frames = bestFirst
        frames.removeLast().frame.release()
    }

    /// Releases the frames from before `time`; all of them unless it is given.
    mutating func drop(before time: Double = .infinity) {
        for held in frames where held.time < time { held.frame.release() }
        frames.removeAll { $0.time < time }
    }

    /// The sharp frames, newest first, and then the others, sharpest first.
    var bestFirst: [HeldFrame] {
        let least = Self.sharp * (frames.map(\.sharpness).max() ?? 0)
        let sharp = frames.filter { $0.sharpness >= least }.sorted { $0.time > $1.time }
        let others = frames.filter { $0.sharpness < least }.sorted {
            ($0.sharpness, $0.time) > ($1.sharpness, $1.time)
        }
        return sharp + others
    }
}
