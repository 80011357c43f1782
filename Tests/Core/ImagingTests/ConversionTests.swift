import Testing

@testable import Imaging

@Suite struct ConversionTests {
    static let sizes = [(1, 1), (1, 7), (7, 1), (8, 3), (9, 2), (33, 65), (40, 31)]
    static let everyPair = PixelFormat.allCases.flatMap { a in PixelFormat.allCases.map { (a, $0) }
    }

    @Test("Every format converts to every other, with size and resolution", arguments: everyPair)
    func allPairs(from: PixelFormat, to: PixelFormat) {
        for (width, height) in Self.sizes {
            let source = Raster.noise(width, height, from, resolution: 300)
            let result = source.converted(to: to)
            #expect(result.format == to && result.width == width && result.height == height)
            #expect(result.resolution == 300)
            #expect(result.samples.allSatisfy { (0...to.largestSample).contains($0) })
        }
    }

    @Test("Black stays black and white stays white in every format", arguments: everyPair)
    func extremes(from: PixelFormat, to: PixelFormat) {
        for isWhite in [true, false] {
            func value(_ format: PixelFormat) -> Int {
                format == .bilevel ? (isWhite ? 0 : 1) : (isWhite ? format.largestSample : 0)
            }
            let result = Raster.painted(11, 3, from) { _, _, _ in value(from) }.converted(to: to)
            #expect(result.samples.allSatisfy { $0 == value(to) })
        }
    }

    @Test(
        "Converting to a wider format and back is exact",
        arguments: [
            (PixelFormat.gray8, PixelFormat.gray16), (.rgb8, .rgb16), (.gray8, .rgb8),
            (.gray16, .rgb16), (.bilevel, .gray8), (.bilevel, .rgb8), (.bilevel, .gray16),
            (.bilevel, .rgb16), (.gray8, .rgb16),
        ])
    func roundTrip(narrow: PixelFormat, wide: PixelFormat) {
        for (width, height) in Self.sizes {
            let source = Raster.noise(width, height, narrow)
            #expect(source.converted(to: wide).converted(to: narrow).samples == source.samples)
        }
    }

    @Test("Color becomes gray with the weights of BT.601, rounded")
    func luma() {
        let source = Raster.noise(50, 40, .rgb8)
        let rgb = source.samples
        let expected = (0..<50 * 40).map { (i: Int) -> Int in
            let sum: Int = 299 * rgb[3 * i] + 587 * rgb[3 * i + 1] + 114 * rgb[3 * i + 2]
            return (sum + 500) / 1000
        }
        // The weights are rounded to 1/65,536, which can round an exact half the other way.
        #expect(largestDifference(source.converted(to: .gray8).samples, expected) <= 1)
        let pure = Raster.painted(3, 1, .rgb8) { x, _, channel in x == channel ? 255 : 0 }
        #expect(pure.converted(to: .gray8).samples == [76, 150, 29])
    }

    @Test("16 bits become 8 by rounding, at every value")
    func narrowing() {
        let source = Raster.painted(256, 256, .gray16) { x, y, _ in y * 256 + x }
        let expected = (0..<65536).map { (2 * $0 + 257) / 514 }
        #expect(source.converted(to: .gray8).samples == expected)
    }

    @Test("Below the middle is black")
    func threshold() {
        let source = Raster.painted(256, 1, .gray8) { x, _, _ in x }
        #expect(source.converted(to: .bilevel).samples == (0..<256).map { $0 < 128 ? 1 : 0 })
        #expect(source.thresholded(below: 0).samples.allSatisfy { $0 == 0 })
        #expect(source.thresholded(below: 256).samples.allSatisfy { $0 == 1 })
    }

    @Test("The stride makes no difference", arguments: PixelFormat.allCases)
    func wideStrides(format: PixelFormat) throws {
        let source = Raster.noise(37, 23, format)
        for extra in [1, 3, 64] {
            let wide = source.spreadOut(by: extra)
            for target in PixelFormat.allCases {
                #expect(wide.converted(to: target).samples == source.converted(to: target).samples)
            }
            #expect(
                wide.rotated(by: .clockwise90).samples == source.rotated(by: .clockwise90).samples)
            #expect(wide.resized(to: 20, 11).samples == source.resized(to: 20, 11).samples)
            #expect(wide.rotated(byDegrees: 3).samples == source.rotated(byDegrees: 3).samples)
            #expect(wide.enhanced().samples == source.enhanced().samples)
            #expect(try wide.encodedPNG() == source.encodedPNG())
        }
    }
}
