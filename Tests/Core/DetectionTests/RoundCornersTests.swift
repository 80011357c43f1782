import Imaging
import Testing

@testable import Detection

/// Tests round corners of cards and sharp corners of pages.
@Suite struct RoundCornersTests {
    /// A light card of 252 × 352 pixels with this corner radius, on a darker table.
    private func card(radius: Double, table: UInt8 = 90) -> Raster {
        var picture = Raster(width: 400, height: 500, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<500 {
                for x in 0..<400 {
                    let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
                    let dx = max(74 + radius - px, px - (326 - radius), 0)
                    let dy = max(74 + radius - py, py - (426 - radius), 0)
                    let isInside = (dx * dx + dy * dy).squareRoot() <= max(radius, 0.001)
                    bytes[y * stride + x] = isInside ? 210 : table
                }
            }
        }
        return picture
    }

    private let quad = TestScene.quad([(74, 74), (326, 74), (326, 426), (74, 426)])

    private func count(_ picture: Raster, _ quad: Quad) -> Int {
        picture.withFrameView { RoundCorners(frame: $0).count(of: quad) }
    }

    @Test("A card's corners are round, a page's are sharp")
    func told() {
        #expect(count(card(radius: 13), quad) == 4)
        #expect(count(card(radius: 0), quad) == 0)
    }

    @Test("If card and table have the same color, no corner is judged")
    func faint() {
        #expect(count(card(radius: 13, table: 205), quad) == 0)
    }

    @Test("Corners out of view, and those of a tiny card, are not judged")
    func outside() {
        let shifted = TestScene.quad([(-200, -200), (52, -200), (52, 152), (-200, 152)])
        #expect(count(card(radius: 13), shifted) <= 1)
        let tiny = TestScene.quad([(100, 100), (130, 100), (130, 140), (100, 140)])
        #expect(count(card(radius: 13), tiny) == 0)
    }
}
