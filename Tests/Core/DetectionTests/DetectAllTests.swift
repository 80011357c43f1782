import Imaging
import Testing

@testable import Detection

/// Tests the detection of several pages in one picture.
@Suite struct DetectAllTests {
    /// Cards in rows on one table, in a picture of 1280 × 960 pixels.
    private func table(columns: Int, rows: Int) -> (picture: Raster, cards: [Quad]) {
        var picture = TestScene.photograph(of: nil, width: 1280, height: 960)
        let stride = picture.stride
        var cards: [Quad] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let x = 1280 * (2 * Double(column) + 1) / Double(2 * columns)
                let y = 960 * (2 * Double(row) + 1) / Double(2 * rows)
                let (half, tall) = (420 / Double(columns), 370 / Double(rows))
                let card = TestScene.quad([
                    (x - half, y - tall), (x + half, y - tall + 3), (x + half, y + tall),
                    (x - half, y + tall - 3),
                ])
                cards.append(card)
                let drawn = TestScene.photograph(of: card, width: 1280, height: 960)
                picture.withMutableBytes { bytes in
                    drawn.withBytes { source in
                        for line in Int(y - tall) - 2...Int(y + tall) + 2 {
                            for byte in 3 * Int(x - half) - 9...3 * Int(x + half) + 9 {
                                bytes[line * stride + byte] = source[line * stride + byte]
                            }
                        }
                    }
                }
            }
        }
        return (picture, cards)
    }

    @Test("Twelve cards on a table are found, and no others")
    func spread() throws {
        let (picture, cards) = table(columns: 4, rows: 3)
        var detector = NetworkPageDetector()
        detector.looksClosely = true
        let found = try detector.detectAll(in: picture)
        for card in cards {
            #expect(found.contains { $0.quad.intersectionOverUnion(card) > 0.9 })
        }
        #expect(found.count == cards.count)
        #expect(try detector.detectAll(in: picture, limit: 5).count == 5)
    }

    @Test("A page with pictures of one size stays one page")
    func printedRows() throws {
        let page = TestScene.quad([(300, 60), (980, 64), (976, 900), (304, 896)])
        var picture = TestScene.photograph(of: page, width: 1280, height: 960)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for column in 0..<3 {
                for row in 0..<3 {
                    for y in 0..<200 {
                        for x in 0..<3 * 142 {
                            let left = 3 * (370 + 200 * column)
                            bytes[(110 + 260 * row + y) * stride + left + x] = 120
                        }
                    }
                }
            }
        }
        var detector = NetworkPageDetector()
        detector.looksClosely = true
        let found = try detector.detectAll(in: picture)
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.quad.intersectionOverUnion(page) > 0.95 })
    }

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

    private func kept(
        _ all: [NetworkPageDetector.Found], isSheet: Bool = false
    ) -> [DetectedPage] {
        NetworkPageDetector().nested(all) { _, _ in isSheet }.map(\.1)
    }

    @Test("A picture printed on a page is not a page, however certain the network is")
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
        #expect(kept(cards + [all], isSheet: true) == [all.1])
    }

    @Test("Of two answers for one place, the more certain one wins")
    func twice() {
        let (one, other) = (found((0, 0, 100, 140), 0.9), found((4, 2, 100, 140), 0.6))
        #expect(kept([other, one]) == [one.1])
    }
}
