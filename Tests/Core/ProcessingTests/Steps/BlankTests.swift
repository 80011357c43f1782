import Imaging
import Testing

@testable import Processing

@Suite struct BlankTests {
    /// A white A4 page at 150 dpi with grain of up to `grain` levels; `draw` changes its levels.
    private func sheet(
        grain: Int = 3, _ draw: (Int, Int) -> Int? = { _, _ in nil }
    ) -> Raster {
        var random = SeededGenerator(seed: 5)
        var page = Raster(width: 1240, height: 1754, format: .gray8, resolution: 150)
        page.withMutableBytes { bytes in
            for y in 0..<1754 {
                for x in 0..<1240 {
                    let level = draw(x, y) ?? 245
                    bytes[y * 1240 + x] = UInt8(
                        clamping: level + Int(random.next() % UInt64(2 * grain + 1)) - grain)
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

    /// The darkness of a page's letters, 0…255, row by row.
    private func ink(of page: Raster) -> [Int] {
        page.withBytes { bytes in
            (0..<1754).flatMap { y in (0..<1240).map { 255 - Int(bytes[y * page.stride + $0]) } }
        }
    }

    /// The letters as they show through from the other side of the paper: mirrored, and blurred
    /// with a standard deviation of 1.15 pixels (0.2 mm).
    private func shone(_ letters: [Int]) -> [Int] {
        var (from, into) = (letters, letters)
        for y in 0..<1754 {
            for x in 0..<1240 { from[y * 1240 + x] = letters[y * 1240 + 1239 - x] }
        }
        // Two passes of a box filter three pixels wide along rows, then along columns.
        for step in [1, 1, 1240, 1240] {
            for at in step..<(from.count - step) {
                into[at] = (from[at - step] + from[at] + from[at + step]) / 3
            }
            swap(&from, &into)
        }
        return from
    }

    private func paper(_ ink: [Int], _ share: Double, _ x: Int, _ y: Int) -> Int {
        245 - Int(Double(ink[y * 1240 + x]) * share)
    }

    @Test(
        "Print that shows through from the back is blank, but faint letters are not",
        arguments: [0.15, 0.2, 0.25], [1, 5, 8])
    func bleeding(_ share: Double, _ grain: Int) throws {
        let letters = ink(of: try TestPage.letter())
        let back = shone(letters)
        let strongest = Double(back.max() ?? 0) / 255
        #expect(strongest > 0.5)
        #expect(try isBlank(sheet(grain: grain) { x, y in paper(back, share, x, y) }))
        // The text is as faint as it looks from the other side, not as it was printed.
        let faint = share * strongest
        guard Int(faint * 255) > 8 * grain else { return }
        #expect(try !isBlank(sheet(grain: grain) { x, y in paper(letters, faint, x, y) }))
    }

    @Test("A faint word on a page with show-through counts as written")
    func wordOnBleeding() throws {
        let letters = ink(of: try TestPage.letter())
        let back = shone(letters)
        let row = try #require(
            (0..<1754).first { y in letters[(y * 1240)..<(y * 1240 + 1240)].contains { $0 > 128 } })
        let page = sheet { x, y in
            let front = (row..<row + 40).contains(y) ? letters[y * 1240 + x] : 0
            return paper(back, 0.25, x, y) - Int(Double(front) * 0.2)
        }
        #expect(try !isBlank(page))
    }

    @Test("Dust, shadows and punch holes on show-through are blank")
    func dirtOnBleeding() throws {
        let back = shone(ink(of: try TestPage.letter()))
        let page = sheet { x, y in
            let dy = min((y - 640).magnitude, (y - 1114).magnitude)
            let dx = (x - 75).magnitude
            if dx * dx + dy * dy < 17 * 17 || x >= 1215 { return 60 }
            if x % 97 < 4 && y % 211 < 4 { return 40 }
            return paper(back, 0.25, x, y)
        }
        #expect(try isBlank(page))
    }

    @Test("Large faint letters are written, also softened as a lens softens them")
    func faintHeading() throws {
        func heading(_ level: (Int) -> Int) -> Raster {
            sheet { x, y in
                guard (300..<360).contains(y), (200..<800).contains(x) else { return nil }
                return level(x % 60)
            }
        }
        #expect(try !isBlank(heading { $0 < 10 ? 200 : 245 }))
        #expect(try !isBlank(heading { $0 < 10 ? 200 : $0 == 10 || $0 == 59 ? 222 : 245 }))
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

    @Test("A pale color is detected like gray")
    func color() throws {
        var page = sheet().converted(to: .rgb8)
        page.withMutableBytes { bytes in
            for y in 400..<440 { for x in 300..<500 { bytes[y * 3720 + x * 3 + 2] = 90 } }
        }
        #expect(try !isBlank(page))
    }

    @Test("A picture without paper does not count as blank", arguments: [0, 20])
    func dark(_ level: Int) throws {
        #expect(try !isBlank(sheet { _, _ in level }))
    }

    @Test("Any format and any size has a result", arguments: PixelFormat.allCases)
    func anything(_ format: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 900), (900, 1), (65, 64)] {
            let page = Raster(width: width, height: height, format: .gray8).converted(to: format)
            #expect(try !isBlank(page))
        }
    }
}
