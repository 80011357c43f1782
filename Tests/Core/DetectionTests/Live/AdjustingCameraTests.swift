import Testing

@testable import Detection

/// A page before a camera that changes its exposure, gain or focus.
@Suite struct AdjustingCameraTests {
    /// A page before a camera whose state changes in each of the first `frames` frames.
    private static func adjusting(
        _ frames: Int, _ state: @escaping @Sendable (Double) -> CameraState
    ) -> [DeskScene] {
        var scene = DeskScene(seconds: 6, page: 1)
        scene.camera = { state(Double(min($0, frames))) }
        return [AutoCaptureTests.away, scene]
    }

    @Test(
        "A page is not captured while the camera changes its exposure, its gain or its focus",
        arguments: [
            { CameraState(exposure: 0.01 * (1 + 0.2 * $0)) },
            { CameraState(exposure: 0.01, gain: 1 + $0) }, { CameraState(focus: 2 + 0.1 * $0) },
        ] as [@Sendable (Double) -> CameraState])
    func adjustingCamera(_ state: @escaping @Sendable (Double) -> CameraState) {
        // Ten frames of change and a quarter of a second without change: 1.08 s after the page was
        // laid down.
        let outcome = AutoCaptureTests.run(Self.adjusting(10, state))
        #expect(outcome.captures.map(\.page) == [1])
        let time = outcome.captures[0].time
        #expect(time > 2.08 && time < 2.26, "\(time)")
        #expect(outcome.reasons.contains(.adjusting))
        let still = AutoCaptureTests.run(Self.adjusting(0, state))
        #expect((1.499...1.6).contains(still.captures[0].time))
        #expect(!still.reasons.contains(.adjusting))
    }

    @Test("With a camera that never stops adjusting, the page is captured after the patience")
    func adjustingForEver() {
        let outcome = AutoCaptureTests.run(
            Self.adjusting(.max) {
                CameraState(exposure: 0.01, gain: 1 + $0.remainder(dividingBy: 2))
            })
        #expect(outcome.captures.map(\.page) == [1])
        #expect((3.49...3.6).contains(outcome.captures[0].time))
    }

    @Test("Small changes and unknown values do not count as adjusting")
    func steadyCamera() {
        let known = CameraState(exposure: 0.02, gain: 2, focus: 3)
        for other in [
            CameraState(), CameraState(exposure: 0.021, gain: 2, focus: 3.04),
            CameraState(gain: 8), CameraState(exposure: 0, gain: 9),
            // Double exposure time, half the gain.
            CameraState(exposure: 0.04, gain: 1),
        ] {
            #expect(!other.isAdjusted(since: known) && !known.isAdjusted(since: other), "\(other)")
        }
        #expect(CameraState(exposure: 0.022, gain: 2).isAdjusted(since: known))
        #expect(CameraState(focus: 2.9).isAdjusted(since: known))
    }
}
