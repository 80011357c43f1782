import Imaging
import Testing

@testable import Processing

@Suite struct LightTests {
    /// The letter on paper of level `paper` that darkens to the right by `fall`, 0…1.
    private func page(paper: Int, fall: Double) throws -> Raster {
        var page = try TestPage.letter()
        let (width, stride) = (page.width, page.stride)
        page.withMutableBytes { bytes in
            for index in bytes.indices {
                let light = 1 - fall * Double(index % stride) / Double(width)
                bytes[index] = UInt8(Double(Int(bytes[index]) * paper / 255) * light)
            }
        }
        return page
    }

    @Test("A shadow of half the light is removed, and the letters stay black")
    func shadow() throws {
        let page = try page(paper: 230, fall: 0.5)
        let outcome = try LightStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.isChanged)
        let before = try #require(outcome.measurements["unevenness"])
        #expect((0.4...0.5).contains(before))
        let after = LightMeasure(outcome.image)
        #expect(after.unevenness < 0.03)
        #expect(after.darkest > 0.97)
        #expect(outcome.image.pixels.count { $0 < 32 } > 40_000)
    }

    @Test("Even gray paper becomes white")
    func gray() throws {
        let page = try page(paper: 200, fall: 0)
        let outcome = try LightStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.summary == "made paper of 78 % brightness white")
        #expect(LightMeasure(outcome.image).darkest > 0.98)
    }

    @Test("An even white page keeps its pixels, unless every page is to be evened")
    func even() throws {
        let page = try page(paper: 252, fall: 0.02)
        let outcome = try LightStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.summary == "unchanged: the light is even")
        #expect(outcome.image.pixels == page.pixels)
        let always = LightStep(StepSettings(["threshold": .number(0)]))
        #expect(try always.run(on: StepInput(image: page)).isChanged)
    }
}

@Suite struct EnhanceTests {
    @Test("Contrast and brightness follow their formula, and a flat picture has nothing to sharpen")
    func formula() throws {
        var page = Raster(width: 40, height: 30, format: .gray8)
        page.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 100) }
        let outcome = try EnhanceStep(StepSettings()).run(on: StepInput(image: page))
        // (100 − 127.5) × 1.1 + 127.5 + 0.05 × 255 = 110
        #expect(outcome.image.pixels.allSatisfy { (109...111).contains($0) })
        #expect(outcome.summary == "contrast 1.1, brightness 0.05, sharpening 0.4")
    }

    @Test("Neutral settings leave the pixels unchanged")
    func neutral() throws {
        let page = try TestPage.letter()
        let step = EnhanceStep(
            StepSettings([
                "contrast": .number(1), "brightness": .number(0), "sharpening": .number(0),
            ]))
        let outcome = try step.run(on: StepInput(image: page))
        #expect(!outcome.isChanged && outcome.image.pixels == page.pixels)
    }
}
