import Imaging
import Testing

@testable import Detection

/// Tests the choice between a card's border and the frame of its print.
@Suite struct ShapedFrameTests {
    private static let card = 88 / 63.0

    /// A card with a dark border on a lighter table, in a picture of 400 × 400 pixels.
    private func picture(card: PixelRect, print: PixelRect, table: UInt8 = 120) -> Raster {
        var picture = Raster(width: 400, height: 400, format: .gray8)
        let stride = picture.stride
        func holds(_ rect: PixelRect, _ x: Int, _ y: Int) -> Bool {
            (rect.x..<rect.x + rect.width).contains(x)
                && (rect.y..<rect.y + rect.height).contains(y)
        }
        picture.withMutableBytes { bytes in
            for y in 0..<400 {
                for x in 0..<400 {
                    bytes[y * stride + x] =
                        holds(print, x, y) ? 220 : holds(card, x, y) ? 90 : table
                }
            }
        }
        return picture
    }

    /// The best frame around a quad; the quad is rectified as in the detector.
    private func best(
        about quad: Quad, in picture: Raster, shapes: [Double]
    ) throws -> ShapedFrame.Choice? {
        let inner = Double(LaidSides.side - 2 * LaidSides.margin)
        let square = Quad(width: 1, height: 1).scaled(x: inner, y: inner)
            .shifted(by: Point(x: Double(LaidSides.margin), y: Double(LaidSides.margin)))
        let lay = try #require(Homography(from: quad, to: square))
        let laid = picture.warped(
            by: lay, width: LaidSides.side, height: LaidSides.side, fill: 120)
        return ShapedFrame(
            shapes: shapes, width: picture.width, height: picture.height, area: quad.area
        ).best(in: laid, back: try #require(lay.inverse))
    }

    private func quad(_ rect: PixelRect) -> Quad {
        Quad(width: rect.width, height: rect.height)
            .shifted(by: Point(x: Double(rect.x), y: Double(rect.y)))
    }

    @Test(
        "The outer one of two card frames is chosen, even with weaker edges")
    func outermost() throws {
        let card = PixelRect(x: 110, y: 80, width: 189, height: 264)
        let print = PixelRect(x: 119, y: 90, width: 171, height: 242)
        let picture = picture(card: card, print: print)
        let found = try #require(try best(about: quad(print), in: picture, shapes: [Self.card]))
        #expect(found.quad.intersectionOverUnion(quad(card)) > 0.97)
    }

    @Test("A frame in the right place stays there")
    func stays() throws {
        let card = PixelRect(x: 110, y: 80, width: 189, height: 264)
        let picture = picture(
            card: card, print: PixelRect(x: 119, y: 90, width: 171, height: 242))
        let found = try #require(try best(about: quad(card), in: picture, shapes: [Self.card]))
        #expect(found.quad.intersectionOverUnion(quad(card)) > 0.97)
    }

    @Test("A wider frame of another shape is not chosen")
    func otherShape() throws {
        let box = PixelRect(x: 86, y: 80, width: 237, height: 264)
        let card = PixelRect(x: 110, y: 80, width: 189, height: 264)
        let picture = picture(card: box, print: card)
        let found = try #require(try best(about: quad(card), in: picture, shapes: [Self.card]))
        #expect(found.quad.intersectionOverUnion(quad(card)) > 0.97)
    }

    @Test("Without that shape, there is no frame")
    func nothing() throws {
        let square = PixelRect(x: 100, y: 100, width: 200, height: 200)
        let picture = picture(card: square, print: square)
        #expect(try best(about: quad(square), in: picture, shapes: [3]) == nil)
    }

    @Test("A covered side stays where the network found it")
    func covered() throws {
        let card = PixelRect(x: 110, y: 80, width: 189, height: 264)
        // The left side is as dark as the table beside it.
        let picture = picture(card: card, print: card, table: 60)
        var covered = picture
        let stride = covered.stride
        covered.withMutableBytes { bytes in
            for y in 0..<400 { for x in 0..<150 { bytes[y * stride + x] = 60 } }
        }
        let found = try #require(try best(about: quad(card), in: covered, shapes: [Self.card]))
        #expect(found.quad.intersectionOverUnion(quad(card)) > 0.97)
    }
}
