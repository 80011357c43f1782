import CaptureHost
import CaptureKit
import Synchronization
import Testing

@testable import LiveCapture

@Suite struct HeldFramesTests {
    /// The times of the frames that are held after these arrived, the best first, and of the
    /// released frames.
    private static func held(
        _ frames: [(time: Double, sharpness: Double)]
    ) -> (best: [Double], released: [Double]) {
        let released = ReleasedTimes()
        var held = HeldFrames()
        for (time, sharpness) in frames {
            let frame = CapturedPage(
                number: 1, description: FrameDescription(format: .gray8, width: 8, height: 8),
                pixels: "/nowhere", original: nil
            ) { released.note(time) }
            held.keep(HeldFrame(frame: frame, time: time, quad: nil, sharpness: sharpness))
        }
        let times = released.times
        return (held.bestFirst.map(\.time), times)
    }

    private final class ReleasedTimes: Sendable {
        private let noted = Mutex<[Double]>([])
        func note(_ time: Double) { noted.withLock { $0.append(time) } }
        var times: [Double] { noted.withLock { $0 } }
    }

    @Test(
        "Among frames that differ only in noise the newest is the best, and the oldest is released")
    func newest() {
        let (best, released) = Self.held([
            (1, 1), (2, 0.995), (3, 1), (4, 0.98), (5, 0.99), (6, 0.985),
        ])
        #expect(best == [6, 5, 4, 3])
        #expect(released == [1, 2])
    }

    @Test("A less sharp frame ranks lower, and is released first")
    func blurred() {
        let (best, released) = Self.held([(1, 0.99), (2, 1), (3, 0.6), (4, 0.99), (5, 0.9)])
        #expect(best == [4, 2, 1, 5])
        #expect(released == [3])
        // When the camera finds its focus, earlier frames no longer count as sharp.
        #expect(Self.held([(1, 0.5), (2, 0.52), (3, 0.51), (4, 1)]).best == [4, 2, 3, 1])
    }

    @Test("Frames of unknown sharpness are ordered by age")
    func untold() {
        #expect(Self.held([(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]).best == [5, 4, 3, 2])
    }
}
