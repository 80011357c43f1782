import CaptureHost
import Conformance
import ContractSupport
import Testing

/// Runs the checks of `copystand backend check` with a camera.
@Suite struct ConformanceTests {
    @Test("A camera passes every possible check, including those of live frames")
    func camera() async throws {
        let camera = try PreloadedCamera([
            "MJPG-64x48@60,30.bin": Clips.jpeg(64, 48), "YUYV-32x24@60.bin": Clips.yuyv(32, 24),
        ])
        let state = try TemporaryFolder()
        _ = try camera.configuration(state)
        var run = ConformanceRun(
            program: state.file("start-v4l2"), device: "usb-test-0", deadlines: .forTests)
        run.silence = .milliseconds(20)
        run.slowness = .milliseconds(20)
        run.rounds = 3
        var passed: Set<String> = []
        for await result in run.results() {
            switch result.outcome {
            case .passed: passed.insert(result.check.id)
            case .failed(let expected, let came):
                Issue.record("\(result.check.id): expected \(expected), came \(came)")
            case .notApplicable: break
            }
        }
        #expect(passed.isSuperset(of: ["live.whole", "live.drop", "live.stop", "capture.page"]))
    }
}
