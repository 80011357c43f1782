import Glibc
import Synchronization
import Testing

@testable import Imaging

@Suite struct EnhancementTests {
    /// The documented formula in plain floating point.
    static func formula(
        _ source: Raster, contrast: Double, brightness: Double, sharpening: Double
    ) -> [Int] {
        let top = Double(source.format.largestSample)
        let middle = top / 2
        let channels = source.format.channels
        let (width, height) = (source.width, source.height)
        let toned = source.samples.map { value -> Double in
            let t = (Double(value) - middle) * contrast + middle + brightness * top
            return min(max(t, 0), top).rounded()
        }
        func at(_ x: Int, _ y: Int, _ c: Int) -> Double {
            toned[(min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * channels + c]
        }
        var result: [Int] = []
        for y in 0..<height {
            for x in 0..<width {
                for c in 0..<channels {
                    var blur = 0.0
                    for dy in -1...1 {
                        for dx in -1...1 {
                            blur +=
                                at(x + dx, y + dy, c) * Double((2 - abs(dx)) * (2 - abs(dy))) / 16
                        }
                    }
                    let value = at(x, y, c) + sharpening * (at(x, y, c) - blur)
                    result.append(Int(min(max(value, 0), top).rounded()))
                }
            }
        }
        return result
    }

    @Test(
        "Enhancing follows its formula to within one level",
        arguments: [PixelFormat.gray8, .rgb8, .gray16, .rgb16])
    func enhanced(format: PixelFormat) {
        let settings = [(1.1, 0.05, 0.4), (1, 0, 0), (1, 0, 3.9), (0.3, -0.4, 1), (3.9, 0.2, 0.1)]
        for (width, height) in [(1, 1), (1, 6), (6, 1), (2, 2), (41, 23)] {
            let source = Raster.noise(width, height, format, seed: 9)
            for (contrast, brightness, sharpening) in settings {
                let result = source.enhanced(
                    contrast: contrast, brightness: brightness, sharpening: sharpening)
                let expected = Self.formula(
                    source, contrast: contrast, brightness: brightness, sharpening: sharpening)
                #expect(largestDifference(result.samples, expected) <= 1)
            }
        }
    }

    @Test("A rereadable picture is released up to the enhanced row")
    func lettingGo() {
        let source = Raster.noise(16, 3_000, .gray8, seed: 3)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 3_000, alignment: 1)
        source.withBytes {
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]))
        }
        nonisolated(unsafe) let owned = bytes
        let forgotten = Forgotten()
        let adopted = Raster(
            width: 16, height: 3_000, format: .gray8, stride: 16, adopting: owned,
            forget: { count in forgotten.counts.withLock { $0.append(count) } },
            release: { owned.deallocate() })
        #expect(adopted.enhanced().samples == source.enhanced().samples)
        #expect(forgotten.counts.withLock { $0 } == [1_023 * 16, 2_047 * 16])
    }

    @Test("Neutral settings change nothing", arguments: PixelFormat.allCases)
    func neutral(format: PixelFormat) {
        let source = Raster.noise(30, 20, format, resolution: 72)
        let result = source.enhanced(contrast: 1, brightness: 0, sharpening: 0)
        #expect(result.samples == source.samples && result.resolution == 72)
    }

    @Test("Settings out of range are clipped")
    func clipped() {
        let source = Raster.noise(30, 20, .gray8)
        #expect(
            source.enhanced(contrast: 50, brightness: 9, sharpening: 70).samples
                == source.enhanced(contrast: 3.9, brightness: 1, sharpening: 3.9).samples)
    }

    @Test("NaN changes nothing", arguments: PixelFormat.allCases)
    func notANumber(format: PixelFormat) {
        let source = Raster.noise(12, 10, format)
        let result = source.enhanced(contrast: .nan, brightness: .nan, sharpening: .nan)
        #expect(result.samples == source.samples)
    }

    /// Paper that is lit from one corner, with ink that reflects a quarter of the light.
    static func shaded(_ format: PixelFormat, photo: PixelRect? = nil) -> Raster {
        Raster.painted(600, 800, format) { x, y, channel in
            let light = 240.0 - 0.1 * Double(x) - 0.08 * Double(y) - 10 * Double(channel)
            if let photo, x >= photo.x, y >= photo.y, x < photo.x + photo.width,
                y < photo.y + photo.height
            {
                return Int(light * (0.15 + 0.45 * Double((x + y) % 64) / 64))
            }
            let isInk = x % 16 < 4 && y % 24 < 8
            return Int(isInk ? light / 4 : light)
        }
    }

    @Test(
        "Unevenly lit paper becomes white and ink keeps its darkness",
        arguments: [PixelFormat.gray8, .rgb8])
    func lightEvened(format: PixelFormat) {
        let result = Self.shaded(format).lightEvened()
        for y in stride(from: 20, to: 800, by: 24) {
            for x in stride(from: 10, to: 600, by: 16) {
                for channel in 0..<format.channels {
                    #expect(result.sample(x, y, channel) >= 248)
                }
            }
        }
        for (x, y) in [(2, 3), (594, 3), (306, 387), (2, 795), (594, 795)] {
            #expect((54...74).contains(result.sample(x, y)))
        }
    }

    @Test("A photograph on the page keeps its tones")
    func photoKept() {
        let photo = PixelRect(x: 160, y: 240, width: 300, height: 280)
        let result = Self.shaded(.gray8, photo: photo).lightEvened()
        for (x, y) in [(300, 380), (200, 300), (430, 480)] {
            let expected = 255 * (0.15 + 0.45 * Double((x + y) % 64) / 64)
            #expect((Double(result.sample(x, y)) - expected).magnitude < 20)
        }
    }

    @Test(
        "Black, bilevel and tiny pictures stay unchanged",
        arguments: PixelFormat.allCases)
    func lightEdgeCases(format: PixelFormat) {
        let black = Raster.painted(50, 40, format) { _, _, _ in format == .bilevel ? 1 : 0 }
        #expect(Set(black.lightEvened().samples) == [format == .bilevel ? 1 : 0])
        for (width, height) in [(1, 1), (1, 200), (200, 1), (3, 3)] {
            let white = Raster.painted(width, height, format) { _, _, _ in
                format == .bilevel ? 0 : format.largestSample * 3 / 4
            }
            let result = white.lightEvened(tile: 8)
            #expect(result.width == width && result.height == height)
            if format != .bilevel { #expect(result.samples.allSatisfy { $0 >= 254 }) }
        }
    }

    @Test("Otsu's threshold separates two tones, and a single tone stays")
    func otsu() throws {
        let two = Raster.painted(64, 64, .gray8) { x, _, _ in x < 20 ? 60 : 180 }
        #expect(try two.binarized().samples == two.samples.map { $0 == 60 ? 1 : 0 })
        let white = Raster.painted(9, 9, .gray8) { _, _, _ in 255 }
        #expect(try white.binarized().samples.allSatisfy { $0 == 0 })
        let black = Raster.painted(9, 9, .gray8) { _, _, _ in 0 }
        #expect(try black.binarized().samples.allSatisfy { $0 == 1 })
    }

    @Test("Sauvola's method finds ink under uneven light that one threshold can't")
    func sauvola() throws {
        let source = Raster.painted(400, 300, .gray8, resolution: 300) { x, y, _ in
            let light = 50 + x / 2
            return x % 40 < 6 && y % 30 < 20 ? light / 3 : light
        }
        let truth = (0..<400 * 300).map { $0 % 400 % 40 < 6 && $0 / 400 % 30 < 20 ? 1 : 0 }
        func errors(_ method: Binarization) throws -> Int {
            zip(try source.binarized(method).samples, truth).reduce(0) {
                $0 + ($1.0 == $1.1 ? 0 : 1)
            }
        }
        #expect(try errors(.sauvola()) < 400 * 300 / 100)
        #expect(try errors(.otsu) > 400 * 300 / 10)
        #expect(try source.binarized(.sauvola()).resolution == 300)
    }

    @Test("Sauvola's method accepts any size, radius and factor", arguments: PixelFormat.allCases)
    func sauvolaEdges(format: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 90), (53, 53), (54, 70), (90, 1)] {
            for radius in [Int.min, 0, 2, 25, 1000, Int.max] {
                let result = try Raster.noise(width, height, format)
                    .binarized(.sauvola(radius: radius, factor: radius == 2 ? .nan : 7))
                #expect(result.format == .bilevel && result.width == width)
            }
        }
    }

    @Test("Known pictures have the right histogram and sharpness")
    func statistics() {
        let source = Raster.painted(64, 4, .gray8) { x, _, _ in x * 4 }
        #expect(source.histogram == (0..<256).map { $0 % 4 == 0 ? 4 : 0 })
        #expect(source.sharpness == 0)
        #expect(Raster.noise(7, 5, .rgb16).histogram.reduce(0, +) == 35)
        // The picture has one white dot: the Laplacian is −1020 there, and 255 at its four
        // neighbors.
        let dot = Raster.painted(9, 9, .gray8) { x, y, _ in x == 4 && y == 4 ? 255 : 0 }
        let variance = (1020.0 * 1020 + 4 * 255 * 255) / 49
        #expect((dot.sharpness - variance).magnitude < 1e-6)
        #expect(Raster.noise(2, 50, .gray8).sharpness == 0)
    }

    @Test("A blurred picture is less sharp")
    func sharpnessOrder() {
        let sharp = textPage(width: 600, height: 600)
        let blurred = sharp.resized(to: 200, 200).resized(to: 600, 600, filter: .bilinear)
        #expect(blurred.sharpness < sharp.sharpness / 4)
    }
}

@Suite struct LettersRaisedTests {
    /// A row of strokes that differ by `contrast` levels from the background, which brightens to
    /// the right and, by `reflection` levels, toward its middle.
    private func strokes(_ contrast: Int, reflection: Double = 0) -> Raster {
        var image = Raster(width: 300, height: 80, format: .gray8)
        let stride = image.stride
        image.withMutableBytes { bytes in
            for y in 0..<80 {
                for x in 0..<300 {
                    let (right, down) = (Double(x - 150) / 80, Double(y - 40) / 30)
                    let light = reflection * exp(-(right * right + down * down))
                    let ground = 100 + x / 6 + Int(light)
                    let isStroke = (30..<50).contains(y) && x % 12 < 4
                    bytes[y * stride + x] = UInt8(isStroke ? ground + contrast : ground)
                }
            }
        }
        return image
    }

    @Test(
        "Weak letters become black on white, bright or dark, within and outside a reflection",
        arguments: [-25, 25], [0, 80.0])
    func raised(_ contrast: Int, reflection: Double) throws {
        let result = try strokes(contrast, reflection: reflection).lettersRaised(reach: 10)
        result.withBytes { bytes in
            // The checked pixels are in the middle of strokes and of gaps, away from the ends.
            for x in stride(from: 61, to: 240, by: 12) {
                #expect(bytes[40 * result.stride + x] < 60)
                #expect(bytes[40 * result.stride + x + 6] > 220)
            }
            #expect(bytes[5 * result.stride + 150] > 220)
        }
    }

    @Test("Grain beside letters stays weak, however far away they are")
    func grain() throws {
        var image = strokes(-40)
        var dice = SeededGenerator(seed: 3)
        let stride = image.stride
        image.withMutableBytes { bytes in
            for index in bytes.indices {
                bytes[index] = UInt8(Double(bytes[index]) + Double.random(in: -6...6, using: &dice))
            }
        }
        let result = try image.lettersRaised(reach: 10)
        let ground = result.withBytes { bytes in
            (0..<20).flatMap { y in bytes[y * stride..<y * stride + 300] }
        }
        #expect(ground.allSatisfy { $0 > 150 })
        #expect(ground.count { $0 < 240 } < ground.count / 50)
    }

    @Test("An empty picture becomes white")
    func plain() throws {
        let gray = try Raster(width: 40, height: 40, format: .rgb8).lettersRaised(
            reach: 2, softening: (50, 50))
        #expect(gray.format == .gray8)
        gray.withBytes { bytes in #expect(Set(bytes).count == 1) }
    }
}

/// The amounts of a picture that the calls released.
private final class Forgotten: Sendable {
    let counts = Mutex<[Int]>([])
}
