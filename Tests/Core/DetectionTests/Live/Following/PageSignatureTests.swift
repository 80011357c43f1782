import Testing

@testable import Detection
@testable import Imaging

@Suite struct PageSignatureTests {
    @Test(
        "A page is recognized in other light, in noise and with slightly wrong corners",
        arguments: [
            Desk(page: 1, light: 0.6), Desk(page: 1, shade: 0.4), Desk(page: 1, noise: 10, seed: 9),
            Desk(page: 1, quad: Desk.place.moved(-40, 8), light: 1.1, noise: 6),
        ])
    func same(desk: Desk) {
        var dice = Dice(3)
        let first = Desk(page: 1, noise: 5).signature()
        for _ in 0..<5 {
            let change = desk.signature(desk.quad.shaken(1.5, &dice)).change(since: first)
            #expect(!change.isBlank)
            #expect(change.share < 0.08, "\(change)")
        }
    }

    @Test("Different pages of the same form are distinguished", arguments: 2...9)
    func others(page: Int) {
        let change = PageSignature.leastChange(
            of: Desk(page: page, noise: 5).signature().inEachTurn,
            since: Desk(page: 1, noise: 5).signature())
        #expect(change.share > 0.25, "\(change)")
    }

    @Test("A page that was turned is recognized")
    func turned() {
        let first = Desk(page: 4).signature()
        var quad = Desk.place
        for _ in 0..<3 {
            quad = quad.turned
            let turned = Desk(page: 4).signature(quad)
            #expect(turned.change(since: first).share > 0.5)
            #expect(PageSignature.leastChange(of: turned.inEachTurn, since: first).share < 0.08)
        }
    }

    @Test(
        "After alignment, a page is recognized with corners that are wrong by up to a tenth",
        arguments: [(0, 0, 20, 0), (0, 30, 0, 0), (-12, 14, 0, 22), (10, 10, 10, 10)])
    func aligned(left: Double, top: Double, right: Double, bottom: Double) {
        let first = Desk(page: 3, noise: 5).signature()
        var quad = Desk.place
        quad.topLeft.x += left
        quad.bottomLeft.x += left
        quad.topLeft.y += top
        quad.topRight.y += top
        quad.topRight.x += right
        quad.bottomRight.x += right
        quad.bottomRight.y += bottom
        quad.bottomLeft.y += bottom
        let again = Desk(page: 3, noise: 5, seed: 8).signature(quad)
        let change = again.changeWhenAligned(since: first)
        #expect((change?.share ?? 1) < 0.3, "\(String(describing: change))")
    }

    @Test(
        "After alignment, a page is recognized with one corner wrong by up to a tenth",
        arguments: [(-32.0, 0.0), (30, 10), (0, 28), (-20, -24)])
    func oneCornerOff(across: Double, down: Double) throws {
        let first = Desk(page: 3, noise: 5).signature()
        var quad = Desk.place
        quad.bottomLeft.x += across
        quad.bottomLeft.y += down
        let again = Desk(page: 3, noise: 5, seed: 8).signature(quad)
        let change = try #require(again.changeWhenAligned(since: first))
        #expect(change.share < 0.15, "\(change)")
    }

    @Test(
        "Different pages of the same form stay different after alignment",
        arguments: 2...9)
    func othersAligned(page: Int) {
        let change = Desk(page: page, noise: 5).signature()
            .changeWhenAligned(since: Desk(page: 1, noise: 5).signature())
        #expect((change?.share ?? 1) > 0.3, "\(String(describing: change))")
    }

    /// A page with a form that all pages share, and with different words on each line.
    private static func lines(_ page: UInt64, down: Int = 0) -> PageSignature {
        var dice = Dice(page)
        var picture = Raster(width: 480, height: 640, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for index in 0..<640 * stride { bytes[index] = 215 }
            for line in 0..<17 where line % 5 != 4 {
                let end = 300 + line * 71 % 140
                var x = 40 + line * 37 % 60
                while x < end {
                    let word = Int.random(in: 10...40, using: &dice)
                    for y in 48 + down + 30 * line..<62 + down + 30 * line {
                        for column in x..<min(x + word, end) { bytes[y * stride + column] = 90 }
                    }
                    x += word + 26
                }
            }
        }
        return PageSignature(of: Quad(width: 480, height: 640), in: picture)!
    }

    @Test(
        "Lines that match those of another page differ if their words do",
        arguments: 2...9)
    func wordsAligned(page: UInt64) {
        let change = Self.lines(page, down: 9).changeWhenAligned(since: Self.lines(1))
        #expect((change?.share ?? 1) > 0.3, "\(String(describing: change))")
        let again = Self.lines(page, down: 9).changeWhenAligned(since: Self.lines(page))
        #expect((again?.share ?? 1) < 0.1, "\(String(describing: again))")
    }

    @Test("An empty page can't be recognized")
    func blank() {
        let blank = Raster(width: 400, height: 300, format: .gray8)
        let quad = Quad(width: 400, height: 300)
        let signature = PageSignature(of: quad, in: blank)!
        #expect(signature.change(since: signature).isBlank)
        let printed = Desk(page: 1).signature()
        #expect(printed.change(since: signature).share > 0.9)
        #expect(signature.change(since: printed).share > 0.9)
    }

    @Test("A hand that moves over the page is motion, but noise is not")
    func motion() {
        let still = Desk(page: 2, noise: 5).signature()
        #expect(Desk(page: 2, noise: 5, seed: 7).signature().motion(since: still) < 0.01)
        #expect(Desk(page: 2, hand: 200..<280).signature().motion(since: still) > 0.1)
    }

    @Test("Corners outside the picture and corners of no page are safe")
    func outside() {
        let luma = Desk(page: 1).luma()
        #expect(PageSignature(of: Desk.place.moved(-900, 4000), in: luma) != nil)
        let line = Quad(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: 5, y: 0),
            bottomRight: Point(x: 9, y: 0), bottomLeft: Point(x: 1, y: 0))
        #expect(PageSignature(of: line, in: luma) == nil)
    }
}
