import Testing

@testable import Imaging

@Suite struct TurnAndCropTests {
    static let sizes = [(1, 1), (1, 9), (9, 1), (33, 70), (64, 32), (65, 31)]

    @Test(
        "Four quarter turns, two half turns, and a turn and its inverse change nothing",
        arguments: PixelFormat.allCases)
    func identities(format: PixelFormat) {
        for (width, height) in Self.sizes {
            let source = Raster.noise(width, height, format, resolution: 200)
            var turned = source
            for _ in 0..<4 { turned = turned.rotated(by: .clockwise90) }
            #expect(turned.samples == source.samples)
            #expect(turned.resolution == 200)
            for turn in QuarterTurn.allCases {
                let back = source.rotated(by: turn).rotated(by: turn.inverse)
                #expect(back.samples == source.samples && back.width == width)
            }
            #expect(
                source.rotated(by: .clockwise90).rotated(by: .clockwise90).samples
                    == source.rotated(by: .half).samples)
        }
    }

    @Test(
        "A clockwise turn brings the bottom left pixel to the top left",
        arguments: PixelFormat.allCases)
    func direction(format: PixelFormat) {
        let source = Raster.painted(40, 50, format) { x, y, _ in
            x == 0 && y == 49 ? format.largestSample : 0
        }
        let clockwise = source.rotated(by: .clockwise90)
        #expect(clockwise.width == 50 && clockwise.height == 40)
        #expect(clockwise.sample(0, 0) == format.largestSample)
        #expect(source.rotated(by: .counterclockwise90).sample(49, 39) == format.largestSample)
        #expect(source.rotated(by: .half).sample(39, 0) == format.largestSample)
    }

    @Test("A crop has exactly the pixels of its rectangle", arguments: PixelFormat.allCases)
    func crop(format: PixelFormat) {
        let source = Raster.noise(45, 27, format, resolution: 150)
        let all = source.samples
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<60 {
            let x = Int.random(in: 0..<45, using: &generator)
            let y = Int.random(in: 0..<27, using: &generator)
            let width = Int.random(in: 1...45 - x, using: &generator)
            let height = Int.random(in: 1...27 - y, using: &generator)
            let crop = source.cropped(to: PixelRect(x: x, y: y, width: width, height: height))
            let perRow = 45 * format.channels
            var expected: [Int] = []
            for row in y..<y + height {
                let start = row * perRow + x * format.channels
                expected += all[start..<start + width * format.channels]
            }
            #expect(crop.samples == expected)
            #expect(crop.width == width && crop.height == height && crop.resolution == 150)
        }
    }

    @Test("A crop of a crop is the crop of both", arguments: PixelFormat.allCases)
    func cropOfCrop(format: PixelFormat) {
        let source = Raster.noise(60, 40, format)
        let twice = source.cropped(to: PixelRect(x: 5, y: 3, width: 40, height: 30))
            .cropped(to: PixelRect(x: 7, y: 9, width: 21, height: 11))
        let once = source.cropped(to: PixelRect(x: 12, y: 12, width: 21, height: 11))
        #expect(twice.samples == once.samples)
    }

    @Test("A crop is clipped to the picture, and a crop outside it gives the whole picture")
    func clipping() {
        let source = Raster.noise(20, 10, .gray8)
        let corner = source.cropped(to: PixelRect(x: -5, y: 6, width: 9, height: 100))
        #expect(corner.width == 4 && corner.height == 4)
        #expect(
            source.cropped(to: PixelRect(x: 50, y: 0, width: 5, height: 5)).samples
                == source.samples)
    }

    @Test("Bits beyond the last column of a bilevel crop are clear")
    func clearPadding() {
        let source = Raster.painted(40, 1, .bilevel) { _, _, _ in 1 }
        let crop = source.cropped(to: PixelRect(x: 3, y: 0, width: 11, height: 1))
        #expect(crop.withBytes { Array($0) } == [0xFF, 0b1110_0000])
    }
}
