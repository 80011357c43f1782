import Testing

@testable import LiveCapture

@Suite("Number of frames looked at per second") struct LookRateTests {
    private func rate(of times: [Double]) -> Double {
        var rate = LookRate()
        for time in times { rate.looked(at: time) }
        return rate.value
    }

    @Test("A single look gives no rate")
    func single() {
        #expect(rate(of: []) == 0)
        #expect(rate(of: [3]) == 0)
    }

    @Test("Looks at equal intervals give their rate", arguments: [0.5, 2.0, 5, 12, 60])
    func even(_ perSecond: Double) {
        let times = (0..<200).map { Double($0) / perSecond }
        #expect(abs(rate(of: times) - perSecond) < 1e-6)
    }

    @Test("A camera that slows down is reported as slow within two seconds")
    func slower() {
        let quick = (0..<36).map { Double($0) / 12 }
        let slow = (1...12).map { quick[35] + Double($0) / 4 }
        #expect(abs(rate(of: quick + slow) - 4) < 1e-6)
    }

    @Test("For a repeating recording, counting starts again")
    func again() {
        #expect(abs(rate(of: [8, 8.1, 8.2, 0, 0.25, 0.5]) - 4) < 1e-6)
    }
}
