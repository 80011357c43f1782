import Testing

@testable import Detection
@testable import Imaging

@Suite struct BackdropTests {
    private static let below = TestPile.Sheet(quad: TestPile.large, print: 1)
    private static let pile = TestPile(
        [
            below, TestPile.Sheet(quad: TestPile.small, print: 2),
        ], seed: 2
    ).picture()

    /// Two sheets that appeared at the same time.
    private static let two = TestPile(
        [
            below, TestPile.Sheet(quad: TestPile.small.moved(-190, 60), print: 3),
            TestPile.Sheet(quad: TestPile.small, print: 2),
        ], seed: 2
    ).picture()

    /// The backdrop of a camera that saw the lower sheet at rest.
    private func backdrop() -> Backdrop {
        var backdrop = Backdrop()
        let picture = TestPile([Self.below]).picture()
        for time in [0.0, 0.1, 0.6] { backdrop.rests(TestPile.large, in: picture, at: time) }
        backdrop.moves()
        return backdrop
    }

    private func judged(
        _ quad: Quad, _ confidence: Double, followed: Quad? = nil, by backdrop: Backdrop
    ) -> (page: DetectedPage, trust: QuadTracker.Trust) {
        var backdrop = backdrop
        return judged(quad, confidence, followed: followed, in: Self.pile, by: &backdrop)
    }

    private func judged(
        _ quad: Quad, _ confidence: Double, followed: Quad? = nil, in picture: Raster,
        by backdrop: inout Backdrop
    ) -> (page: DetectedPage, trust: QuadTracker.Trust) {
        backdrop.judge(
            DetectedPage(quad: quad, confidence: confidence), followed: followed, in: picture,
            found: 0.6, sure: 0.85)
    }

    @Test(
        "If the search is unsure, or finds the sheet below, the new sheet is certain",
        arguments: [(TestPile.small.moved(8, 5), 0.7), (TestPile.large, 0.95)])
    func certain(seen: Quad, confidence: Double) {
        let (page, trust) = judged(seen, confidence, by: backdrop())
        #expect(trust == .certain && page.confidence == Backdrop.confidence)
        #expect(page.quad.intersectionOverUnion(TestPile.small) > 0.97)
    }

    @Test("The new sheet has only a vote if the followed page has as many new sides")
    func followed() {
        let (page, trust) = judged(TestPile.large, 0.95, followed: TestPile.small, by: backdrop())
        #expect(trust == .vote(1) && page.confidence == 0.95)
        #expect(page.quad.intersectionOverUnion(TestPile.small) > 0.97)
    }

    @Test("An object that covers less than half of the page is not mistaken for the page")
    func slip() {
        let slip = TestScene.quad([(215, 110), (395, 95), (420, 340), (225, 360)])
        let picture = TestPile([Self.below, TestPile.Sheet(quad: slip, print: 3)], seed: 2)
            .picture()
        var backdrop = backdrop()
        let (page, trust) = judged(TestPile.large, 0.7, in: picture, by: &backdrop)
        #expect(page.quad == TestPile.large && page.confidence == 0.7 && trust == .vote(0.25))
        // The slip can be found: a search that finds the slip makes the backdrop aware of its
        // place.
        #expect(judged(slip.moved(6, 4), 0.7, in: picture, by: &backdrop).trust == .certain)
    }

    @Test("A certain detection with four new sides has its vote")
    func sure() {
        let (page, trust) = judged(TestPile.small, 0.9, by: backdrop())
        #expect(page.quad == TestPile.small && trust == .vote(1))
    }

    @Test(
        "After a hand was in the way, the page is the same, whatever single looks find",
        arguments: [(TestPile.small, TestPile.large), (TestPile.large, TestPile.small)])
    func untouched(page: Quad, taken: Quad) {
        var backdrop = Backdrop()
        backdrop.rests(page, in: Self.pile, at: 0)
        backdrop.moves()
        let again = TestPile(
            [Self.below, TestPile.Sheet(quad: TestPile.small, print: 2)], seed: 3
        ).picture()
        let (found, trust) = judged(taken, 0.95, in: again, by: &backdrop)
        #expect(found.quad == page && trust == .certain)
    }

    @Test(
        "A picture on a new page in the place of the last one is not mistaken for a sheet"
    )
    func framed() {
        var picture = Self.pile
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            // The new page's heading, above the picture.
            for y in 54..<59 { for x in 220..<330 { bytes[y * stride + x] = 70 } }
        }
        var backdrop = backdrop()
        let (page, trust) = judged(TestPile.large, 0.95, in: picture, by: &backdrop)
        #expect(page.quad == TestPile.large && page.confidence == 0.95 && trust == .vote(0.25))
    }

    @Test("If the search finds no page, there is none, even if an object appeared")
    func held() {
        let (page, trust) = judged(TestPile.small, 0.5, by: backdrop())
        #expect(page.confidence == 0.5 && trust == .vote(1))
    }

    @Test(
        "A page found with certainty three times stays until something moves, or the search loses it"
    )
    func enough() {
        var backdrop = backdrop()
        let followed = TestPile.small.moved(1, 0)
        // A picture in which two sheets appeared; neither of them is certain.
        func look(_ picture: Raster, _ confidence: Double = 0.7) -> QuadTracker.Trust {
            judged(followed, confidence, followed: followed, in: picture, by: &backdrop).trust
        }
        for _ in 0..<2 { #expect(look(Self.pile) == .certain) }
        #expect(look(Self.two) != .certain)
        #expect(look(Self.pile) == .certain)
        let (page, trust) = judged(
            followed.moved(5, 5), 0.7, followed: followed, in: Self.two, by: &backdrop)
        #expect(page.quad == followed && page.confidence == Backdrop.confidence)
        #expect(trust == .certain)
        #expect(look(Self.two, 0.5) != .certain)
        backdrop.moves()
        #expect(look(Self.two) != .certain)
    }

    @Test("Without a still view, no page is judged")
    func unknown() {
        for backdrop in [Backdrop(), moved(Backdrop())] {
            let (page, trust) = judged(TestPile.large, 0.7, by: backdrop)
            #expect(page.quad == TestPile.large && trust == .vote(1))
        }
    }

    private func moved(_ backdrop: Backdrop) -> Backdrop {
        var backdrop = backdrop
        backdrop.moves()
        return backdrop
    }

    @Test("A hand that comes into view before it reaches the page is not in the backdrop")
    func entering() {
        var backdrop = Backdrop()
        let picture = TestPile([Self.below]).picture()
        let entering = TestPile.Sheet(quad: TestPile.small.moved(200, 0), print: 2)
        for time in [0.0, 0.5, 1.0] { backdrop.rests(TestPile.large, in: picture, at: time) }
        backdrop.rests(
            TestPile.large, in: TestPile([Self.below, entering]).picture(), at: 1.5)
        backdrop.moves()
        #expect(judged(TestPile.small.moved(8, 5), 0.7, by: backdrop).trust == .certain)
    }

    /// The backdrop after the camera saw the first of these pages, and the later ones laid on it.
    private func backdrop(after desks: [Desk]) -> Backdrop {
        var backdrop = Backdrop()
        for (index, desk) in desks.enumerated() {
            backdrop.rests(desk.quad, in: desk.luma(), at: Double(index))
            backdrop.moves()
        }
        return backdrop
    }

    @Test("A pushed page is certain at the place of its contents, wherever the search finds it")
    func pushed() {
        var backdrop = backdrop(after: [Desk(page: 1, noise: 4)])
        let place = Desk.place.moved(17, -11)
        let picture = Desk(page: 1, quad: place, noise: 4, seed: 6).luma()
        var seen = place
        seen.topRight = Desk.place.topRight
        let (page, trust) = judged(seen, 0.95, in: picture, by: &backdrop)
        #expect(trust == .certain && page.confidence == Backdrop.confidence)
        #expect(page.quad.drift(from: place) * place.diagonal < 1)
        // A page that the search finds far from that place is a different page.
        let other = place.moved(140, 0)
        #expect(judged(other, 0.95, in: picture, by: &backdrop).trust != .certain)
    }

    @Test("A page that reappears is certain in its old place, wherever the search finds it")
    func lifted() {
        var backdrop = backdrop(after: [
            Desk(page: 1, noise: 4), Desk(page: 2, quad: Desk.place.moved(10, 4), noise: 4),
        ])
        let picture = Desk(page: 1, noise: 4, seed: 6).luma()
        let (page, trust) = judged(Desk.place.moved(8, 8), 0.95, in: picture, by: &backdrop)
        #expect(trust == .certain && page.quad == Desk.place)
        let new = Desk(page: 3, noise: 4, seed: 6).luma()
        #expect(judged(Desk.place, 0.95, in: new, by: &backdrop).trust != .certain)
    }
}
