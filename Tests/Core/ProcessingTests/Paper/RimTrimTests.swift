import Imaging
import Testing

@testable import Processing

@Suite struct RimTrimTests {
    /// A sheet of `format` whose edges show a desk of level 70 for the given numbers of lines, with
    /// a dark frame printed 8 pixels inside.
    private func sheet(
        _ format: PixelFormat, left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0
    ) -> Raster {
        var sheet = Raster(width: 200, height: 120, format: format, resolution: 100)
        let (samples, stride) = (format == .gray8 ? 1 : 3, sheet.stride)
        sheet.withMutableBytes { bytes in
            for y in 0..<120 {
                for x in 0..<200 {
                    let isDesk = x < left || y < top || x >= 200 - right || y >= 120 - bottom
                    let isFrame = x == 8 || y == 8 || x == 191 || y == 111
                    for sample in 0..<samples {
                        bytes[y * stride + x * samples + sample] = isDesk ? 70 : isFrame ? 0 : 220
                    }
                }
            }
        }
        return sheet
    }

    @Test(
        "Lines that show the desk are removed, up to a limit for each side",
        arguments: [PixelFormat.gray8, .rgb8])
    func desk(format: PixelFormat) {
        let cut = sheet(format, left: 1, top: 0, right: 3, bottom: 2).withoutRim(most: 3)
        #expect(cut.width == 196 && cut.height == 118)
        #expect(cut.resolution == 100)
        let isClean = cut.withBytes { $0[0] == 220 }
        #expect(isClean)
    }

    @Test("A clean sheet stays unchanged, and so does a broad printed border")
    func clean() {
        let clean = sheet(.gray8).withoutRim(most: 3)
        #expect(clean.width == 200 && clean.height == 120)
        #expect(
            sheet(.gray8, left: 7, top: 7, right: 7, bottom: 7).withoutRim(most: 3).width == 200)
        #expect(sheet(.gray8, left: 2).withoutRim(most: 0).width == 200)
        let tiny = Raster(width: 5, height: 5, format: .gray8)
        #expect(tiny.withoutRim(most: 3).width == 5)
    }
}
