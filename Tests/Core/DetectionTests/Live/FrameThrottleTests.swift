import Testing

@testable import Detection

@Suite struct FrameThrottleTests {
    /// The number of frames that are examined in ten seconds if each takes `cost` seconds.
    private static func looks(
        _ throttle: inout FrameThrottle, fps: Double, from start: Double = 0, cost: Double
    ) -> Int {
        var count = 0
        for frame in 0..<Int(10 * fps) where throttle.isDue(at: start + Double(frame) / fps) {
            count += 1
            throttle.finished(after: cost)
        }
        return count
    }

    @Test("Twelve frames per second of any camera are examined", arguments: [15.0, 24, 30, 60])
    func even(fps: Double) {
        var throttle = FrameThrottle()
        let looks = Self.looks(&throttle, fps: fps, cost: 0.01)
        #expect((119...121).contains(looks))
    }

    @Test("Every frame of a slow camera is examined")
    func slow() {
        var throttle = FrameThrottle()
        let looks = Self.looks(&throttle, fps: 5, cost: 0.01)
        #expect(looks == 50)
    }

    @Test(
        "Slow looks are rare enough to fill half of the time",
        arguments: [(0.01, 12.0), (0.05, 10), (0.1, 5), (0.2, 2.5), (1, 2)])
    func busy(cost: Double, rate: Double) {
        var throttle = FrameThrottle()
        _ = Self.looks(&throttle, fps: 30, cost: cost)
        #expect((throttle.rate - rate).magnitude < 0.01)
    }

    @Test("The rate rises again when the machine is free")
    func recovers() {
        var throttle = FrameThrottle()
        _ = Self.looks(&throttle, fps: 30, cost: 0.3)
        #expect(throttle.rate == 2)
        _ = Self.looks(&throttle, fps: 30, from: 10, cost: 0.005)
        #expect(throttle.rate == 12)
    }

    @Test("A clock that jumps, either way, stops nothing")
    func jumps() {
        var throttle = FrameThrottle()
        for time in [5000.0, 2, 2.1, 9e9, 9e9 + 0.1, -7, -6.9] {
            let isDue = throttle.isDue(at: time)
            #expect(isDue, "\(time)")
        }
    }

    @Test("Impossible costs change nothing")
    func nonsense() {
        var throttle = FrameThrottle()
        for cost in [Double.nan, -1, .infinity] { throttle.finished(after: cost) }
        #expect(throttle.rate == 12)
    }
}
