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

    /// What a camera knows that saw the lower sheet lie there.
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
        backdrop.judge(
            DetectedPage(quad: quad, confidence: confidence), followed: followed, in: Self.pile,
            found: 0.6, sure: 0.85)
    }

    @Test(
        "Where the search is in doubt, or sees the sheet below, the sheet that came is certain",
        arguments: [(TestPile.small.moved(8, 5), 0.7), (TestPile.large, 0.95)])
    func certain(seen: Quad, confidence: Double) {
        let (page, trust) = judged(seen, confidence, by: backdrop())
        #expect(trust == .certain && page.confidence == Backdrop.confidence)
        #expect(page.quad.intersectionOverUnion(TestPile.small) > 0.97)
    }

    @Test("The sheet that came has but a vote where what is followed has as many new sides")
    func followed() {
        let (page, trust) = judged(TestPile.large, 0.95, followed: TestPile.small, by: backdrop())
        #expect(trust == .vote(1) && page.confidence == 0.95)
        #expect(page.quad.intersectionOverUnion(TestPile.small) > 0.97)
    }

    @Test("What is laid on a page and covers less than half of it is not taken for the page")
    func slip() {
        let slip = TestScene.quad([(215, 110), (395, 95), (420, 340), (225, 360)])
        let picture = TestPile([Self.below, TestPile.Sheet(quad: slip, print: 3)], seed: 2)
            .picture()
        let seen = DetectedPage(quad: TestPile.large, confidence: 0.7)
        let (page, trust) = backdrop().judge(
            seen, followed: nil, in: picture, found: 0.6, sure: 0.85)
        #expect(page == seen && trust == .vote(0.25))
        // It is there to be found: a search that sees it is told where it lies.
        let near = DetectedPage(quad: slip.moved(6, 4), confidence: 0.7)
        #expect(
            backdrop().judge(near, followed: nil, in: picture, found: 0.6, sure: 0.85).trust
                == .certain)
    }

    @Test("A sure search that sees four new sides has its vote")
    func sure() {
        let (page, trust) = judged(TestPile.small, 0.9, by: backdrop())
        #expect(page.quad == TestPile.small && trust == .vote(1))
    }

    @Test(
        "What lay there lies there after a hand was in the way, whatever one look takes it for",
        arguments: [(TestPile.small, TestPile.large), (TestPile.large, TestPile.small)])
    func untouched(page: Quad, taken: Quad) {
        var backdrop = Backdrop()
        backdrop.rests(page, in: Self.pile, at: 0)
        backdrop.moves()
        let again = TestPile(
            [Self.below, TestPile.Sheet(quad: TestPile.small, print: 2)], seed: 3
        ).picture()
        let (judged, trust) = backdrop.judge(
            DetectedPage(quad: taken, confidence: 0.95), followed: nil, in: again, found: 0.6,
            sure: 0.85)
        #expect(judged.quad == page && trust == .certain)
    }

    @Test(
        "A picture that is printed on a new page, which lies where the last one lay, is not taken for a sheet"
    )
    func framed() {
        var picture = Self.pile
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            // The new page's heading, above the picture.
            for y in 54..<59 { for x in 220..<330 { bytes[y * stride + x] = 70 } }
        }
        let seen = DetectedPage(quad: TestPile.large, confidence: 0.95)
        let (page, trust) = backdrop().judge(
            seen, followed: nil, in: picture, found: 0.6, sure: 0.85)
        #expect(page == seen && trust == .vote(0.25))
    }

    @Test("What the search takes for no page is none, though something came")
    func held() {
        let (page, trust) = judged(TestPile.small, 0.5, by: backdrop())
        #expect(page.confidence == 0.5 && trust == .vote(1))
    }

    @Test("Who has seen nothing lie still judges nothing")
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

    @Test("What moves into view before it reaches the page is not part of what lay there")
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
}
