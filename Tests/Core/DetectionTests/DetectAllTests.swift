import Imaging
import Testing

@testable import Detection

/// Which of several sightings are pages.
@Suite struct DetectAllTests {
    /// A page of this confidence, with a sighting at the same place.
    private func found(
        _ rect: (x: Double, y: Double, width: Double, height: Double), _ confidence: Double
    ) -> NetworkPageDetector.Found {
        let quad = TestScene.quad([
            (rect.x, rect.y), (rect.x + rect.width, rect.y),
            (rect.x + rect.width, rect.y + rect.height), (rect.x, rect.y + rect.height),
        ])
        return (
            .init(quad: quad, raw: confidence, share: 0.1, distance: 0),
            DetectedPage(quad: quad, confidence: confidence)
        )
    }

    private func kept(_ all: [NetworkPageDetector.Found]) -> [DetectedPage] {
        NetworkPageDetector().nested(all).map(\.1)
    }

    @Test("A picture printed on a page is not a page, however sure the network is")
    func printed() {
        let page = found((0, 0, 200, 300), 0.8)
        let print = found((20, 20, 80, 90), 0.95)
        #expect(kept([print, page]) == [page.1])
    }

    @Test("A frame around three pages is not a page")
    func group() {
        let cards = [0.0, 100, 200].map { found(($0, 0, 80, 110), 0.7) }
        let all = found((-10, -10, 310, 140), 0.9)
        let left = kept(cards + [all])
        #expect(left.count == 3 && !left.contains(all.1))
    }

    @Test("Of two answers for one place, the surer one stays")
    func twice() {
        let (one, other) = (found((0, 0, 100, 140), 0.9), found((4, 2, 100, 140), 0.6))
        #expect(kept([other, one]) == [one.1])
    }
}
