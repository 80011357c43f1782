import Documents
import Imaging
import Testing

@testable import Recognition

@Suite struct MatrixPlacesTests {
    /// A white page with a code of fields of `side` pixels.
    private func page(_ code: DrawnBarcode, side: Int, x: Int, y: Int) -> Raster {
        var page = Raster(width: 1240, height: 1754, format: .gray8)
        let stride = page.stride
        page.withMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt8.self, repeating: 240)
            for row in 0..<code.height * side {
                for column in 0..<code.width * side
                where code.fields[row / side * code.width + column / side] {
                    bytes[(y + row) * stride + x + column] = 20
                }
            }
        }
        return page
    }

    @Test(
        "A code that ZXing seeks in the middle is read anywhere on a page, and its corners are the page's",
        arguments: [BarcodeFormat.dataMatrix, .aztec], [(70, 90), (1080, 1600), (300, 1200)])
    func anywhere(_ format: BarcodeFormat, _ place: (Int, Int)) throws {
        let code = try DrawnBarcode(format, "ASN00042")
        let found = try BarcodeReader().read(page(code, side: 4, x: place.0, y: place.1))
        #expect(found.map(\.text) == ["ASN00042"])
        for corner in found.first?.corners ?? [] {
            #expect((place.0 - 8...place.0 + code.width * 4 + 8).contains(Int(corner.x)))
            #expect((place.1 - 8...place.1 + code.height * 4 + 8).contains(Int(corner.y)))
        }
    }

    @Test("Print and an empty page hold no place where a code may be")
    func print() {
        let lines = (0..<20).map { _ in "The quick brown fox jumps over the lazy dog again" }
        let text = PrintedPage(width: 2480, height: 3508).print(lines, x: 240, y: 300).raster()
        #expect(MatrixPlaces.all(in: text).isEmpty)
        #expect(MatrixPlaces.all(in: PrintedPage(width: 800, height: 600).raster()).isEmpty)
        #expect(MatrixPlaces.all(in: PrintedPage(width: 5, height: 3).raster()).isEmpty)
    }
}
