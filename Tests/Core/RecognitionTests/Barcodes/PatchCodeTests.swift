import Documents
import Imaging
import Testing

@testable import Recognition

@Suite struct PatchCodeTests {
    /// An A4 sheet at 100 dpi with four bars, 2.5 inches long; true means a wide bar.
    ///
    /// The bars have Kodak's widths, in hundredths of an inch.
    private func sheet(_ bars: [Bool], y: Int = 60, x: Int = 280, length: Int = 250) -> Raster {
        var page = paper()
        let stride = page.stride
        page.withMutableBytes { bytes in
            var top = y
            for isWide in bars {
                let high = isWide ? 20 : 8
                for row in top..<top + high {
                    for column in x..<x + length { bytes[row * stride + column] = 15 }
                }
                top += high + 8
            }
        }
        return page
    }

    private func paper() -> Raster {
        var page = Raster(width: 827, height: 1169, format: .gray8)
        page.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 238) }
        return page
    }

    private static let patchT = [false, true, false, true]

    @Test(
        "A Patch T is found, with its place, on a skewed or turned sheet",
        arguments: [0.0, -4, 4], [nil, .clockwise90, .half, .counterclockwise90] as [QuarterTurn?])
    func found(_ degrees: Double, _ turn: QuarterTurn?) throws {
        let sheet = sheet(Self.patchT).rotated(byDegrees: degrees, fill: 238)
        let turned = turn.map { sheet.rotated(by: $0) } ?? sheet
        let corners = try #require(PatchCode.find(in: turned)).corners
        let width = corners.map(\.x).max()! - corners.map(\.x).min()!
        let height = corners.map(\.y).max()! - corners.map(\.y).min()!
        // The code has 250 × 80 pixels, and a slant of 4° adds some pixels to either side.
        #expect((240...262).contains(max(width, height)) && (74...104).contains(min(width, height)))
    }

    @Test("The sheet splits a stack, in any pixel format and at any resolution")
    func parts() throws {
        let rule = try SplitRule("patch-t")
        for picture in [
            sheet(Self.patchT), sheet(Self.patchT).resized(to: 2481, 3507).converted(to: .rgb8),
            sheet(Self.patchT).resized(to: 620, 877),
        ] {
            let found = try BarcodeReader().read(picture)
            #expect(found.map(\.format) == ["PatchCode"])
            #expect(SplitRule.mark([rule], of: found) == SplitMark(.sheet))
        }
    }

    @Test(
        "Other patches, and bars that are too short or too close to other marks, are not found",
        arguments: [
            [true, false, false, true], [true, true, false, false], [false, true, true, false],
            [false, false, true, true], [false, true, false], [false, true, false, true, false],
            [true, true, true, true], [false, false, false, false],
        ])
    func others(_ bars: [Bool]) {
        #expect(PatchCode.find(in: sheet(bars)) == nil)
    }

    @Test("Bars that are shorter than the width of all four are not a patch")
    func short() {
        #expect(PatchCode.find(in: sheet(Self.patchT, length: 60)) == nil)
    }

    @Test("Print, rules, barcodes and empty pages are not patches")
    func ordinary() throws {
        let lines = (0..<40).map { _ in "The quick brown fox jumps over the lazy dog again" }
        let text = PrintedPage(width: 2480, height: 3508).print(lines, x: 240, y: 300).raster()
        #expect(PatchCode.find(in: text) == nil)
        #expect(PatchCode.find(in: paper()) == nil)
        #expect(PatchCode.find(in: Raster(width: 3, height: 2, format: .gray8)) == nil)
        var table = paper()
        let stride = table.stride
        table.withMutableBytes { bytes in
            for y in 100..<900 {
                for x in 100..<700
                where (y - 100) % 60 < 3 || (x - 100) % 120 < 3 || (y - 100) % 240 < 40 {
                    bytes[y * stride + x] = 30
                }
            }
        }
        #expect(PatchCode.find(in: table) == nil)
        let codes = try Raster.decoded(from: PackageResources.barcodes_png)
        #expect(PatchCode.find(in: codes.converted(to: .gray8)) == nil)
    }
}
