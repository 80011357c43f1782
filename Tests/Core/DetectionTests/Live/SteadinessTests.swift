import Imaging
import Testing

@testable import Detection

@Suite("The time for which a page has been still") struct SteadinessTests {
    private static let here = Quad(
        topLeft: Point(x: 100, y: 50), topRight: Point(x: 300, y: 50),
        bottomRight: Point(x: 300, y: 330), bottomLeft: Point(x: 100, y: 330))
    /// The sheet beneath shows at the bottom.
    private static let beneath = Quad(
        topLeft: here.topLeft, topRight: here.topRight, bottomRight: Point(x: 300, y: 345),
        bottomLeft: Point(x: 100, y: 345))

    /// The time since which the page has been still, after looks at twelve per second.
    private func since(_ looks: [(quad: Quad, motion: Double?)]) -> Double? {
        var steadiness = Steadiness(settings: AutoCaptureSettings())
        for (index, look) in looks.enumerated() {
            let page = TrackedPage(quad: look.quad, confidence: 0.9)
            _ = steadiness.take(
                LiveObservation(
                    time: Double(index) / 12, page: page, width: 480, height: 360,
                    motion: look.motion), page)
        }
        return steadiness.since
    }

    @Test(
        "After a gap, a page counts as moved", arguments: [(0.5, 0.0), (1.6, 1.0), (-0.1, 1.0)])
    func gap(seconds: Double, motion: Double) {
        var steadiness = Steadiness(settings: AutoCaptureSettings())
        let page = TrackedPage(quad: Self.here, confidence: 0.9)
        for time in [1, 1 + seconds] {
            let seen = LiveObservation(time: time, page: page, width: 480, height: 360, motion: 0)
            #expect(steadiness.take(seen, page) == (time == 1 ? 0 : motion))
        }
    }

    @Test(
        "Corners may vary by less than 0.8 % of the diagonal, known to be still or not",
        arguments: [nil, 0.0])
    func wavering(motion: Double?) {
        var other = Self.here
        // The diagonal is 344 pixels long, of which 0.8 % is 2.8.
        other.bottomLeft.y += 2
        #expect(since([(Self.here, motion), (Self.here, motion), (other, motion)]) == 0)
        other.bottomLeft.y += 2
        #expect(since([(Self.here, motion), (Self.here, motion), (other, motion)]) == 2.0 / 12)
    }

    @Test(
        "Jumping or returning corners begin a new wait, known to be still or not",
        arguments: [nil, 0.0])
    func jumping(motion: Double?) {
        let jumped = [
            (quad: Self.here, motion: motion), (Self.here, motion), (Self.beneath, motion),
        ]
        #expect(since(jumped) == 2.0 / 12)
        #expect(since(jumped + [(Self.beneath, motion), (Self.here, motion)]) == 4.0 / 12)
    }

    @Test("A picture that moved in between begins a new wait, wherever the corners are")
    func moved() {
        #expect(
            since([(Self.here, 0), (Self.beneath, 0.2), (Self.here, 0), (Self.here, 0)]) == 2.0 / 12
        )
    }
}
