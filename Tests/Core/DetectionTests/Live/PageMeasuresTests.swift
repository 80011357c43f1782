import Testing

@testable import Detection
@testable import Imaging

@Suite struct PageMeasuresTests {
    private static func measures(_ desk: Desk, blurred: Int = 0) throws -> PageMeasures {
        var luma = desk.luma()
        for _ in 0..<blurred {
            // Scaling down and up again blurs over about `factor` pixels.
            let (w, h) = (luma.width, luma.height)
            luma = luma.resized(to: w * 2 / 3, h * 2 / 3).resized(to: w, h, filter: .bilinear)
        }
        return try #require(PageMeasures(of: desk.quad, in: luma))
    }

    @Test("Sharpness falls with blur, whatever is on the page", arguments: [1, 2, 3])
    func blur(page: Int) throws {
        let values = try (0..<4).map {
            try #require(try Self.measures(Desk(page: page), blurred: $0).sharpness)
        }
        #expect(values == values.sorted(by: >), "\(values)")
        #expect(values[3] < 0.6 * values[0], "\(values)")
    }

    @Test("Dim light and noise change sharpness little", arguments: [0.5, 0.7, 1.1])
    func light(factor: Double) throws {
        let full = try #require(try Self.measures(Desk(page: 1)).sharpness)
        let dim = try #require(
            try Self.measures(Desk(page: 1, light: factor, noise: 4)).sharpness)
        #expect((dim / full - 1).magnitude < 0.15, "\(dim) \(full)")
    }

    @Test("The paper's brightness follows the light", arguments: [0.2, 0.5, 1])
    func paper(light: Double) throws {
        let paper = try Self.measures(Desk(page: 1, light: light)).paper
        #expect((Double(paper) - 215 * light).magnitude <= 2)
    }

    private func glare(
        seeks: Bool = true, _ level: (_ x: Int, _ y: Int) -> Int
    ) -> Double? {
        var picture = Raster(width: 200, height: 200, format: .gray8)
        picture.withMutableBytes { bytes in
            for y in 0..<200 {
                for x in 0..<200 { bytes[200 * y + x] = UInt8(clamping: level(x, y)) }
            }
        }
        return PageMeasures(of: Quad(width: 200, height: 200), in: picture, seeksGlare: seeks)?
            .glare
    }

    /// A gray level with grain.
    private func grainy(_ level: Int, _ dice: inout SeededGenerator) -> Int {
        min(level, 255) + Int.random(in: -3...3, using: &dice)
    }

    @Test("Light that burns out a wide part of a printed page, and fades at its edge, is glare")
    func wide() throws {
        var dice = SeededGenerator(seed: 11)
        // Paper of level 180 with print, to which a lamp adds its light.
        func page(_ x: Int, _ y: Int, lamp: Int) -> Int {
            let isPrint = x % 24 < 8 && y % 16 < 5
            return grainy((isPrint ? 60 : 180) + max(0, lamp), &dice)
        }
        for (strength, reach) in [(240, 60), (240, 25), (300, 110)] {
            let burn = glare { x, y in
                page(x, y, lamp: strength - ((x - 60) * (x - 60) + (y - 60) * (y - 60)) / reach)
            }
            #expect(try #require(burn) > 0.05, "\(strength) \(reach) \(burn ?? -1)")
        }
        // The glare has hidden the left two thirds.
        let half = glare { x, y in page(x, y, lamp: 75 + (160 - x) * 3) }
        #expect(try #require(half) > 0.4, "\(half ?? -1)")
        #expect(glare(seeks: false) { x, y in page(x, y, lamp: 75 + (160 - x) * 3) } == 0)
    }

    @Test(
        "A white label on unevenly lit paper is not glare, nor is a card's white border")
    func labels() {
        var dice = SeededGenerator(seed: 13)
        let label = glare { x, y in
            let isLabel = (70..<150).contains(x) && (60..<120).contains(y)
            let isPrint = y % 16 < 5 && x % 24 < 8
            return grainy(isPrint ? 60 : isLabel ? 255 : 215 - x / 4, &dice)
        }
        #expect(label == 0)
        let border = glare { x, y in
            let isBorder = x < 14 || y < 14 || x >= 186 || y >= 186
            return grainy(isBorder ? 255 : 90 + (x + y) / 8, &dice)
        }
        #expect(border == 0)
    }

    @Test("White paper under uneven light is not glare, nor is overexposed paper")
    func bright() {
        var dice = SeededGenerator(seed: 12)
        for (brightest, slope) in [(250, 10), (258, 10), (270, 10), (300, 45), (340, 50)] {
            let found = glare { x, y in
                let isPrint = x % 24 < 8 && y % 16 < 5
                return grainy(isPrint ? 60 : brightest - x * slope / 100, &dice)
            }
            #expect(found == 0, "\(brightest) \(slope) \(found ?? -1)")
        }
    }

    @Test("A soft reflection is glare; white paper, white print and a white label are not")
    func glare() throws {
        let spot = glare { x, y in
            180 + 120 - ((x - 100) * (x - 100) + (y - 100) * (y - 100)) / 20
        }
        #expect(try #require(spot) > 0.02)
        #expect(glare { _, _ in 255 } == 0)
        #expect(glare { x, y in x % 40 < 10 && y % 40 < 10 ? 255 : 90 } == 0)
        #expect(
            glare { x, y in
                let isBorder = x < 20 || y < 20 || x >= 180 || y >= 180
                let isLabel = (90..<160).contains(x) && (120..<160).contains(y)
                return isBorder ? 60 : isLabel ? 255 : y < 100 ? 120 : 238
            } == 0)
    }

    @Test("A quad outside the picture has no measures")
    func outside() {
        #expect(PageMeasures(of: Desk.place.moved(2000, 0), in: Desk().luma()) == nil)
    }
}
