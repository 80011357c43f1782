import Imaging
import Testing

@testable import Processing

@Suite struct CleaningTests {
    private func painted(
        _ page: Raster, _ color: (Int, Int) -> (UInt8, UInt8, UInt8)?
    ) -> Raster {
        var page = page.converted(to: .rgb8)
        let (width, height, stride) = (page.width, page.height, page.stride)
        page.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    guard let (r, g, b) = color(x, y) else { continue }
                    bytes[y * stride + 3 * x] = r
                    bytes[y * stride + 3 * x + 1] = g
                    bytes[y * stride + 3 * x + 2] = b
                }
            }
        }
        return page
    }

    private func letter() throws -> Raster {
        var page = try TestPage.letter().resized(to: 2480, 3508, filter: .bilinear)
        page.resolution = 300
        return page
    }

    @Test(
        "Black print becomes black and white, with shades gray, and a colored stamp keeps its color"
    )
    func color() throws {
        let step = ColorStep(StepSettings())
        let print = try letter().converted(to: .rgb8)
        #expect(try step.run(on: StepInput(image: print)).image.format == .bilevel)
        let shades = painted(print) { x, y in
            (300..<900).contains(x) && (2000..<2600).contains(y)
                ? (UInt8(60 + y % 600 / 6), UInt8(60 + y % 600 / 6), UInt8(60 + y % 600 / 6)) : nil
        }
        #expect(try step.run(on: StepInput(image: shades)).image.format == .gray8)
        let stamp = painted(print) { x, y in
            (1800..<1860).contains(x) && (2900..<2960).contains(y) ? (190, 40, 50) : nil
        }
        let kept = try step.run(on: StepInput(image: stamp))
        #expect(kept.image.format == .rgb8 && !kept.isChanged)
        let gray = ColorStep(StepSettings(["mode": .choice("auto-gray")]))
        #expect(try gray.run(on: StepInput(image: print)).image.format == .gray8)
    }

    @Test("Print on tinted paper is not color")
    func tinted() throws {
        let tinted = painted(try letter()) { _, _ in nil }
        var yellow = tinted
        yellow.withMutableBytes { bytes in
            for index in stride(from: 2, to: bytes.count, by: 3) {
                bytes[index] = UInt8(Int(bytes[index]) * 200 / 255)
            }
        }
        let outcome = try ColorStep(StepSettings()).run(on: StepInput(image: yellow))
        #expect(outcome.image.format == .bilevel)
    }

    @Test("Specks are removed, the dots of letters stay")
    func specks() throws {
        let page = try letter()
        let clean = try DespeckleStep(StepSettings()).run(on: StepInput(image: page))
        #expect(!clean.isChanged)
        var dirty = page
        let places = [(40, 40), (1200, 60), (2400, 3400), (60, 3450)]
        dirty.withMutableBytes { bytes in
            for (x, y) in places {
                for dy in 0..<2 { for dx in 0..<2 { bytes[(y + dy) * 2480 + x + dx] = 20 } }
            }
        }
        let outcome = try DespeckleStep(StepSettings()).run(on: StepInput(image: dirty))
        #expect(outcome.measurements["specks"] == 4)
        let isAsBefore = outcome.image.withBytes { Array($0) } == page.withBytes { Array($0) }
        #expect(isAsBefore)
        let black = try dirty.binarized(.otsu)
        let bits = try DespeckleStep(StepSettings()).run(on: StepInput(image: black))
        #expect(bits.image.format == .bilevel && bits.measurements["specks"] == 4)
    }

    @Test("Shadows at the edges and punch holes are removed, print stays")
    func edges() throws {
        let page = try TestPage.letter()
        var dirty = page
        dirty.withMutableBytes { bytes in
            for y in 0..<1754 {
                for x in 0..<14 { bytes[y * 1240 + x] = 60 }
                for x in 30...70 {
                    let dx = x - 50
                    for cy in [640, 1114] where dx * dx + (y - cy) * (y - cy) <= 17 * 17 {
                        bytes[y * 1240 + x] = 40
                    }
                }
            }
        }
        let outcome = try EdgesStep(StepSettings()).run(on: StepInput(image: dirty))
        #expect(outcome.measurements["holes"] == 2)
        #expect(outcome.measurements["shadows"] == 1)
        let (wrong, text) = outcome.image.withBytes { after in
            page.withBytes { before in
                var wrong = 0
                var text = 0
                for index in 0..<1240 * 1754
                where (Int(after[index]) - Int(before[index])).magnitude > 16 {
                    if index % 1240 < 80 { wrong += 1 } else { text += 1 }
                }
                return (wrong, text)
            }
        }
        #expect(wrong < 60)
        #expect(text == 0)
        #expect(try !EdgesStep(StepSettings()).run(on: StepInput(image: page)).isChanged)
    }

    @Test("Any format and size passes every step", arguments: PixelFormat.allCases)
    func anything(_ format: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 700), (700, 1), (64, 65)] {
            let page = Raster(width: width, height: height, format: .gray8).converted(to: format)
            for declaration in StepCatalog.declarations
            where !StepCatalog.needsText(declaration.name) {
                let step = try #require(StepCatalog.step(Profile.Step(declaration.name)))
                let outcome = try step.run(on: StepInput(image: page, target: .page))
                #expect(outcome.image.width > 0 && !outcome.summary.isEmpty)
            }
        }
    }

    @Test(
        "The error for a profile with contradicting steps names them and the reason",
        arguments: [
            ("['binarise', 'light']", "light"),
            ("[{ color: { mode: 'bilevel' } }, 'enhance']", "enhance"),
            ("['deskew', 'orientation']", "orientation"),
            ("['items', 'facing-pages']", "facing-pages"),
        ])
    func contradictions(_ steps: String, _ name: String) {
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        _ = reader.read("{ looksFor: 'page', steps: \(steps) }", name: "mine")
        #expect(reader.problems.map(\.value) == [name])
    }
}
