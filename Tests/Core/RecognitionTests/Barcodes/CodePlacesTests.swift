import Documents
import Imaging
import Testing

@testable import Recognition

@Suite struct CodePlacesTests {
    /// A page of one level with a code whose fields have `side` pixels, or whose bars have a height
    /// of `high` pixels.
    private func page(
        _ code: DrawnBarcode, side: Int, x: Int, y: Int, ink: UInt8 = 20, high: Int = 120
    ) -> Raster {
        var page = Raster(width: 1240, height: 1754, format: .gray8)
        let stride = page.stride
        let isBars = code.height == 1
        page.withMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt8.self, repeating: 240)
            for row in 0..<(isBars ? high : code.height * side) {
                for column in 0..<code.width * side
                where code.fields[(isBars ? 0 : row / side) * code.width + column / side] {
                    bytes[(y + row) * stride + x + column] = ink
                }
            }
        }
        return page
    }

    /// Blurs the page like a lens out of focus.
    private func blurred(_ page: Raster, deviation: Double) -> Raster {
        Plane(page).filtered(Plane.gaussian(deviation: deviation)).rounded()
    }

    @Test(
        "A code that ZXing reads only in the middle is read anywhere, with the page's corners",
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

    @Test(
        "A blurred, faint, slanted code is read, and its corners are on it",
        arguments: [
            (BarcodeFormat.code128, "ASN00042"), (.ean13, "4006381333931"), (.code39, "ASN00042"),
            (.qrCode, "ASN00042"), (.dataMatrix, "ASN00042"),
        ], [0.0, 20, 60])
    func blurredAndFaint(_ kind: (BarcodeFormat, String), _ degrees: Double) throws {
        let code = try DrawnBarcode(kind.0, kind.1)
        let straight = page(code, side: 3, x: 560, y: 820, ink: 150)
        let picture = blurred(straight.rotated(byDegrees: degrees, fill: 240), deviation: 1.5)
        let found = try BarcodeReader().read(picture)
        #expect(found.map(\.text) == [kind.1])
        let middle = try #require(found.first).corners.reduce((0.0, 0.0)) {
            ($0.0 + $1.x / 4, $0.1 + $1.y / 4)
        }
        let place = try #require(
            CodePlaces(of: picture).all(over: CodePlaces.faint).first)
        #expect(place.contains(Point(x: middle.0, y: middle.1)))
    }

    @Test(
        "The place of a barcode has the direction of its bars",
        arguments: [-60.0, -33, 0, 7, 45, 80])
    func direction(_ degrees: Double) throws {
        let code = try DrawnBarcode(.code128, "ASN00042")
        let picture = page(code, side: 3, x: 480, y: 820).rotated(byDegrees: degrees, fill: 240)
        let places = CodePlaces(of: picture).all(over: CodePlaces.plain)
        #expect(places.map(\.isBars) == [true])
        #expect(places.allSatisfy { ($0.degrees - degrees).magnitude < 2 })
    }

    @Test("Print and an empty page have no place for a code")
    func print() {
        let lines = (0..<20).map { _ in "The quick brown fox jumps over the lazy dog again" }
        let text = PrintedPage(width: 2480, height: 3508).print(lines, x: 240, y: 300).raster()
        for page in [
            text, PrintedPage(width: 800, height: 600).raster(),
            PrintedPage(width: 5, height: 3).raster(),
        ] {
            #expect(CodePlaces(of: page).all(over: CodePlaces.faint).isEmpty)
        }
    }
}

@Suite struct PlaneTests {
    /// A black half beside a white one.
    private let edge: Raster = {
        var picture = Raster(width: 40, height: 10, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<10 { for x in 0..<40 { bytes[y * stride + x] = x < 20 ? 0 : 255 } }
        }
        return picture
    }()

    @Test("A Gaussian's coefficients add up to one, and keep a picture of one level unchanged")
    func gaussian() {
        let taps = Plane.gaussian(deviation: 1.7)
        #expect((2 * taps.reduce(0, +) - taps[0] - 1).magnitude < 1e-5)
        var flat = Raster(width: 9, height: 4, format: .gray8)
        flat.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 77) }
        Plane(flat).filtered(taps).rounded().withBytes { bytes in
            for y in 0..<4 {
                for x in 0..<9 { #expect(bytes[y * flat.stride + x] == 77) }
            }
        }
    }

    @Test("A blurred edge is steeper when its blur is removed")
    func deblurred() {
        let taps = Plane.gaussian(deviation: 2)
        let blurred = Plane(edge).filtered(taps)
        var sharp = blurred
        for _ in 0..<3 { sharp.add(blurred, minus: sharp.filtered(taps)) }
        func rise(_ plane: Plane) -> Int {
            plane.rounded().withBytes {
                Int($0[5 * edge.stride + 21]) - Int($0[5 * edge.stride + 18])
            }
        }
        #expect(rise(sharp) > rise(blurred) + 40)
    }
}
