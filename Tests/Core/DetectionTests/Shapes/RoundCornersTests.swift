import Imaging
import Testing

@testable import Detection

/// Tests round corners of cards and sharp corners of pages.
@Suite struct RoundCornersTests {
    private func count(_ picture: Raster, _ quad: Quad) -> Int {
        picture.withFrameView { RoundCorners(frame: $0).count(of: quad) }
    }

    @Test("A card's corners are round, a page's are sharp")
    func told() {
        #expect(count(DrawnCard.picture(radius: 13), DrawnCard.quad) == 4)
        #expect(count(DrawnCard.picture(radius: 0), DrawnCard.quad) == 0)
    }

    @Test("If card and table have the same color, no corner is judged")
    func faint() {
        #expect(count(DrawnCard.picture(radius: 13, table: 205), DrawnCard.quad) == 0)
    }

    @Test("Corners out of view, and those of a tiny card, are not judged")
    func outside() {
        let shifted = TestScene.quad([(-200, -200), (52, -200), (52, 152), (-200, 152)])
        #expect(count(DrawnCard.picture(radius: 13), shifted) <= 1)
        let tiny = TestScene.quad([(100, 100), (130, 100), (130, 140), (100, 140)])
        #expect(count(DrawnCard.picture(radius: 13), tiny) == 0)
    }
}
