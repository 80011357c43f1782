import Imaging
import Testing

@testable import Processing

@Suite struct BlankTests {
    /// A white A4 page at 150 dpi with grain, on which `draw` puts levels.
    private func sheet(
        _ draw: (Int, Int) -> Int? = { _, _ in nil }
    ) -> Raster {
        var random = SeededGenerator(seed: 5)
        var page = Raster(width: 1240, height: 1754, format: .gray8, resolution: 150)
        page.withMutableBytes { bytes in
            for y in 0..<1754 {
                for x in 0..<1240 {
                    let level = draw(x, y) ?? 245
                    bytes[y * 1240 + x] = UInt8(
                        clamping: level + Int(random.next() % 7) - 3)
                }
            }
        }
        return page
    }

    private func isBlank(
        _ page: Raster, _ settings: [String: StepValue] = [:]
    ) throws -> Bool {
        let outcome = try BlankStep(StepSettings(settings)).run(on: StepInput(image: page))
        #expect(!outcome.isChanged)
        #expect((outcome.measurements["blank"] == 1) == outcome.isBlank)
        return outcome.isBlank
    }

    @Test("Clean, dusty, shadowed and punched sheets are blank")
    func blank() throws {
        #expect(try isBlank(sheet()))
        #expect(try isBlank(sheet { x, y in x % 211 < 3 && y % 307 < 3 ? 40 : nil }))
        #expect(try isBlank(sheet { x, _ in x < 18 ? 60 : nil }))
        #expect(
            try isBlank(
                sheet { x, y in
                    let dy = min((y - 640).magnitude, (y - 1114).magnitude)
                    let dx = (x - 75).magnitude
                    return dx * dx + dy * dy < 17 * 17 ? 30 : nil
                }))
    }

    @Test("What shines through from the back is blank, the same letters sharp on the front are not")
    func bleeding() throws {
        let letter = try TestPage.letter()
        let back = try TestPage.turned(letter, clockwise: 0.3)
            .resized(to: 300, 424, filter: .area).resized(to: 1240, 1754, filter: .bilinear)
        func faint(_ page: Raster, _ share: Double) -> Raster {
            let levels = page.withBytes { Array($0) }
            return sheet { x, y in
                245 - Int(Double(255 - levels[y * page.stride + x]) * share)
            }
        }
        #expect(try isBlank(faint(back, 0.25)))
        #expect(try !isBlank(faint(letter, 0.25)))
        #expect(try !isBlank(letter))
    }

    @Test("A lone page number counts as written unless the profile says otherwise")
    func pageNumber() throws {
        let page = sheet { x, y in
            (600..<608).contains(x) && (1650..<1665).contains(y)
                || (612..<620).contains(x) && (1650..<1665).contains(y) ? 30 : nil
        }
        #expect(try !isBlank(page))
        #expect(try isBlank(page, ["page-numbers": .choice("blank")]))
        let elsewhere = sheet { x, y in
            (600..<608).contains(x) && (900..<915).contains(y) ? 30 : nil
        }
        #expect(try !isBlank(elsewhere, ["page-numbers": .choice("blank")]))
    }

    @Test("A pale colour is seen as well as gray")
    func colour() throws {
        var page = sheet().converted(to: .rgb8)
        page.withMutableBytes { bytes in
            for y in 400..<440 { for x in 300..<500 { bytes[y * 3720 + x * 3 + 2] = 90 } }
        }
        #expect(try !isBlank(page))
    }

    @Test("A page without paper in it is not called blank", arguments: [0, 20])
    func dark(_ level: Int) throws {
        #expect(try !isBlank(sheet { _, _ in level }))
    }

    @Test("Any format and any size gets an answer", arguments: PixelFormat.allCases)
    func anything(_ format: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 900), (900, 1), (65, 64)] {
            let page = Raster(width: width, height: height, format: .gray8).converted(to: format)
            #expect(try !isBlank(page))
        }
    }
}
