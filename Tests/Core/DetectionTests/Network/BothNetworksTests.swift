import Imaging
import Testing

@testable import Detection

/// The choice between the answers of the network for pages and of the one for cards.
@Suite struct BothNetworksTests {
    /// A frame within the drawn card, such as that around its picture.
    private let inner = DrawnCard.quad.scaled(x: 0.8, y: 0.8).shifted(by: Point(x: 40, y: 50))
    /// A place to the side of the card.
    private let beside = TestScene.quad([(5, 5), (60, 5), (60, 80), (5, 80)])

    private func answers(
        _ quad: Quad?, raw: Double, by weights: Result<NetworkWeights, DetectionError>
    ) throws -> NetworkPageDetector.Answers {
        let all = quad.map {
            [NetworkPageDetector.Sighting(quad: $0, raw: raw, share: 0.4, distance: 0)]
        }
        return .init(all: all ?? [], weights: try weights.get())
    }

    /// The choice for the drawn card, where the network for pages sees `page`, and the one for cards
    /// sees `card` with this raw confidence.
    private func chosen(
        page: Quad?, card: Quad?, raw: Double = 0.99, radius: Double = 13, shapes: [Double] = []
    ) throws -> DetectedPage? {
        var detector = NetworkPageDetector()
        detector.looksClosely = true
        detector.shapes = shapes
        let pages = try answers(page, raw: 0.9, by: NetworkWeights.pages)
        let cards = try answers(card, raw: raw, by: NetworkWeights.cards)
        return DrawnCard.picture(radius: radius).withFrameView {
            detector.chosen(pages, cards, in: $0)
        }
    }

    private func overlap(_ page: DetectedPage?) -> Double {
        page.map { $0.quad.intersectionOverUnion(DrawnCard.quad) } ?? 0
    }

    @Test("A card that its round corners confirm counts, whatever the network for pages sees")
    func confirmed() throws {
        for page in [inner, beside, nil] {
            let found = try chosen(page: page, card: DrawnCard.quad)
            #expect(overlap(found) > 0.98)
            #expect(try #require(found).confidence > 0.9)
        }
    }

    @Test("Without round corners, or with doubt, the answer of the network for pages counts")
    func unconfirmed() throws {
        #expect(overlap(try chosen(page: beside, card: DrawnCard.quad, radius: 0)) < 0.1)
        #expect(overlap(try chosen(page: beside, card: DrawnCard.quad, raw: 0.3)) < 0.1)
        #expect(try chosen(page: nil, card: DrawnCard.quad, radius: 0) == nil)
    }

    @Test("With known shapes, corners far from the network's answer have little confidence")
    func doubted() throws {
        let shapes = NetworkPageDetector.cardShapes
        let sure = try #require(try chosen(page: nil, card: DrawnCard.quad, shapes: shapes))
        let moved = try #require(try chosen(page: nil, card: inner, shapes: shapes))
        #expect(overlap(sure) > 0.98 && overlap(moved) > 0.98)
        #expect(sure.confidence > 0.9 && moved.confidence < 0.6)
    }

    @Test("If neither network sees a page, there is none")
    func nothing() throws {
        #expect(try chosen(page: nil, card: nil) == nil)
        let shapes = NetworkPageDetector.cardShapes
        #expect(try chosen(page: nil, card: nil, shapes: shapes) == nil)
    }
}
