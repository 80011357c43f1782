import Testing

@testable import LiveCapture

@Suite struct LiveClockTests {
    @Test(
        "A camera's own clock gives the time between frames, counted from the arrival of the first")
    func camera() {
        var clock = LiveClock(isRecording: false)
        #expect(clock.time(device: 7000, elapsed: 0.5) == 0.5)
        #expect(abs(clock.time(device: 7000.04, elapsed: 0.61) - 0.54) < 1e-9)
        // The camera was reconnected with another clock.
        #expect(clock.time(device: 3, elapsed: 9) == 9)
        #expect(abs(clock.time(device: 3.1, elapsed: 9.1) - 9.1) < 1e-9)
    }

    @Test("Without a camera's own clock the time of arrival is used")
    func arrival() {
        var clock = LiveClock(isRecording: false)
        #expect([0.1, 0.3, 0.2].map { clock.time(device: nil, elapsed: $0) } == [0.1, 0.3, 0.3])
    }

    @Test("A recording has its own times, however fast it is read")
    func recording() {
        var clock = LiveClock(isRecording: true)
        #expect(clock.time(device: 2, elapsed: 0.001) == 0)
        #expect(clock.time(device: 60, elapsed: 0.002) == 58)
        var plain = LiveClock(isRecording: true)
        let times = (0..<24).map { _ in plain.time(device: nil, elapsed: 0) }
        #expect(abs(times[23] - 2) < 1e-9)
    }

    @Test("Whatever the clocks show, time never runs backwards", arguments: [true, false])
    func monotonic(isRecording: Bool) {
        var clock = LiveClock(isRecording: isRecording)
        var state: UInt64 = 7
        var last = 0.0
        for step in 0..<500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let device = state % 5 == 0 ? nil : Double(state >> 40) / 1e4 - 500
            let time = clock.time(device: device, elapsed: Double(step) / 30)
            #expect(time >= last)
            last = time
        }
    }
}
