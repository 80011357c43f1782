import Foundation
import Imaging
import Testing

@testable import Detection

@Suite("The borders of cards and photographs") struct PaperBorderTests {
    /// A card of 300 × 420 pixels on a desk, slightly rotated, with a border around its print.
    private struct Card {
        var desk = 190
        var border = 30
        var print = 220
        /// The border's width in pixels.
        var width = 20.0
        var degrees = 3.0

        static let size = (width: 300.0, height: 420.0)

        /// The corners of the area that is `inset` pixels inside the card's edge.
        func quad(inset: Double) -> Quad {
            let points = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
                onDesk(
                    x * (Self.size.width / 2 - inset), y * (Self.size.height / 2 - inset))
            }
            return Quad(
                topLeft: points[0], topRight: points[1], bottomRight: points[2],
                bottomLeft: points[3])
        }

        private func onDesk(_ x: Double, _ y: Double) -> Point {
            let angle = degrees * .pi / 180
            return Point(
                x: 320 + x * cos(angle) - y * sin(angle),
                y: 280 + x * sin(angle) + y * cos(angle))
        }

        func picture() -> Raster {
            let angle = degrees * .pi / 180
            var raster = Raster(width: 640, height: 560, format: .gray8)
            var state: UInt64 = 7
            raster.withMutableBytes { bytes in
                for y in 0..<560 {
                    for x in 0..<640 {
                        let (dx, dy) = (Double(x) + 0.5 - 320, Double(y) + 0.5 - 280)
                        let across = (dx * cos(angle) + dy * sin(angle)).magnitude
                        let down = (dy * cos(angle) - dx * sin(angle)).magnitude
                        let within = min(Self.size.width / 2 - across, Self.size.height / 2 - down)
                        let level = within < 0 ? desk : within < width ? border : print
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        bytes[y * 640 + x] = UInt8(clamping: level + Int(state >> 61) - 4)
                    }
                }
            }
            return raster
        }

        /// The refined sides of a quad that is `rough` pixels inside the card's edge.
        func refined(rough: Double) -> Quad {
            picture().withFrameView { SideRefiner(frame: $0).refined(quad(inset: rough)) }
        }
    }

    @Test(
        "Sides that the network places within the border move to its outer edge",
        arguments: [(30, 190), (240, 120), (120, 40), (40, 90)])
    func bordered(border: Int, desk: Int) {
        let card = Card(desk: desk, border: border, print: border > 128 ? 60 : 220)
        let found = card.refined(rough: 16)
        #expect(found.intersectionOverUnion(card.quad(inset: 0)) > 0.985)
    }

    @Test("A page on a larger sheet keeps its own sides")
    func mounted() {
        let card = Card(desk: 90, border: 150, print: 230)
        let found = card.refined(rough: 20.5)
        #expect(found.intersectionOverUnion(card.quad(inset: 20)) > 0.985)
    }

    @Test(
        "A page on sheets as bright as itself keeps its own sides, whatever the network makes of them"
    )
    func piled() {
        let card = Card(desk: 90, border: 214, print: 222)
        let found = card.refined(rough: 14)
        #expect(found.intersectionOverUnion(card.quad(inset: 20)) > 0.96)
    }

    @Test("A card without a border keeps its sides")
    func plain() {
        let card = Card(desk: 90, width: 0)
        #expect(card.refined(rough: 3).intersectionOverUnion(card.quad(inset: 0)) > 0.985)
    }

    @Test("A strip wider than a border stays outside")
    func wide() {
        let card = Card(width: 40)
        #expect(card.refined(rough: 38).intersectionOverUnion(card.quad(inset: 40)) > 0.97)
    }
}
