import Documents
import Imaging
import Testing

@testable import Recognition

/// Tests reading codes of every kind that zint has drawn in the cells of a sheet; see
/// `Fixtures/make_codes.py`.
private struct CodeSheet {
    struct Code: CustomTestStringConvertible, Sendable {
        var index: Int
        var format: BarcodeFormat
        var text: String
        var testDescription: String { format.rawValue + " " + text }
    }

    /// The codes are in the sheet's order.
    ///
    /// Check digits that zint adds are computed by each kind's rule.
    static let codes: [Code] = {
        let list: [(BarcodeFormat, String)] = [
            (.aztec, "Aztec 7"), (.codabar, "40156"), (.code39, "ASN-39"), (.code93, "CODE 93"),
            (.code128, "ASN00012"), (.dataBar, "09501101530010"),
            (.dataBarExpanded, "01988987654321063202012345"), (.dataMatrix, "Matrix 1"),
            (.ean8, "96385074"), (.ean13, "5901234123457"), (.itf, "12345678"),
            (.maxiCode, "Maxi code"), (.pdf417, "Four rows of 417"),
            (.qrCode, "https://example.org/ä"), (.upcA, "036000291452"), (.upcE, "01234565"),
            (.microQRCode, "MICRO1"),
        ]
        return list.enumerated().map { index, code in
            Code(index: index, format: code.0, text: code.1)
        }
    }()

    static let cell = (width: 640, height: 420)

    static func sheet() throws -> Raster {
        try Raster.decoded(from: PackageResources.barcodes_png)
    }

    static func place(of code: Code) -> PixelRect {
        PixelRect(
            x: code.index % 3 * cell.width, y: code.index / 3 * cell.height, width: cell.width,
            height: cell.height)
    }

    static func picture(of code: Code) throws -> Raster { try sheet().cropped(to: place(of: code)) }
}

/// Returns only the characters that a code contains, since brackets and surrounding characters
/// depend on the drawing program and the reader.
private func digitsAndLetters(_ text: String) -> String {
    text.filter { !"()[]".contains($0) }
}

@Suite struct BarcodeTests {
    @Test(
        "Every kind of code is read, with its kind, text and confidence", arguments: CodeSheet.codes
    )
    private func kinds(_ code: CodeSheet.Code) throws {
        let found = try BarcodeReader().read(CodeSheet.picture(of: code))
        #expect(found.map { digitsAndLetters($0.text) } == [code.text])
        #expect(found.map(\.format) == [code.format.rawValue])
        #expect(found.allSatisfy { $0.kind == .barcode && (0.5...1).contains($0.confidence) })
    }

    @Test("A code's corners are around its ink", arguments: CodeSheet.codes)
    private func corners(_ code: CodeSheet.Code) throws {
        let picture = try CodeSheet.picture(of: code)
        let whole = Box(x: 0, y: 0, width: picture.width, height: picture.height)
        let ink = try #require(picture.inkBox(within: whole))
        let found = try #require(try BarcodeReader().read(picture).first)
        #expect(found.corners.count == 4)
        let slack = 0.1 * Double(max(ink.width, ink.height)) + 4
        for corner in found.corners {
            #expect(corner.x >= Double(ink.x) - slack)
            #expect(corner.x <= Double(ink.x + ink.width) + slack)
            #expect(corner.y >= Double(ink.y) - slack)
            #expect(corner.y <= Double(ink.y + ink.height) + slack)
        }
        let across = found.corners.map(\.x)
        #expect((across.max() ?? 0) - (across.min() ?? 0) > 0.6 * Double(ink.width))
    }

    @Test("A page is read in every pixel format", arguments: PixelFormat.allCases)
    func forms(_ format: PixelFormat) throws {
        let code = try #require(CodeSheet.codes.first { $0.format == .code128 })
        let picture = try CodeSheet.picture(of: code).converted(to: format)
        #expect(try BarcodeReader().read(picture).map(\.text) == ["ASN00012"])
    }

    @Test(
        "A row of bars is read at any slant, and its corners are the slanted ones",
        arguments: [0.0, 10, 22.5, 30, 45, 60, 75, 90, 135, 180, 250, 300])
    func slants(_ degrees: Double) throws {
        let code = try #require(CodeSheet.codes.first { $0.format == .code128 })
        let slanted = SlantedPicture(of: try CodeSheet.picture(of: code), degrees: degrees)
        let found = try BarcodeReader(formats: [.code128]).read(slanted.picture)
        #expect(found.map(\.text) == ["ASN00012"])
        let middle = try #require(found.first).corners.reduce((0.0, 0.0)) {
            ($0.0 + $1.x / 4, $0.1 + $1.y / 4)
        }
        // The code is in the middle of its cell, so it stays there when the cell is turned.
        let center = Double(slanted.picture.width) / 2
        #expect((middle.0 - center).magnitude < 25 && (middle.1 - center).magnitude < 45)
    }

    @Test("Only the requested kinds are read")
    func chosen() throws {
        let qr = try #require(CodeSheet.codes.first { $0.format == .qrCode })
        #expect(
            try BarcodeReader(formats: BarcodeFormat.linear).read(CodeSheet.picture(of: qr)).isEmpty
        )
        #expect(try BarcodeReader(formats: [.qrCode]).read(CodeSheet.picture(of: qr)).count == 1)
        #expect(try BarcodeReader(formats: []).read(CodeSheet.picture(of: qr)).isEmpty)
    }

    @Test("Several codes of a page are read together, the topmost first")
    func several() throws {
        let wanted: [BarcodeFormat] = [.code128, .ean8, .itf, .upcA]
        let found = try BarcodeReader(formats: wanted).read(CodeSheet.sheet())
        let texts = CodeSheet.codes.filter { wanted.contains($0.format) }.map(\.text)
        #expect(found.map(\.text) == texts)
    }

    @Test(
        "Pictures of one pixel, one row and one column hold no code",
        arguments: [(1, 1), (5000, 1), (1, 5000)])
    func tiny(_ width: Int, _ height: Int) throws {
        #expect(
            try BarcodeReader().read(Raster(width: width, height: height, format: .rgb8)).isEmpty)
    }

    @Test(
        "Noise and stripes are not read as codes without a check digit, and cause no crash",
        arguments: 1...6)
    func noise(_ seed: UInt64) throws {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        var picture = Raster(width: 400, height: 300, format: .gray8)
        let stride = picture.stride
        let period = Int(next() % 7) + 2
        picture.withMutableBytes { bytes in
            for y in 0..<300 {
                for x in 0..<400 {
                    let stripe = seed % 2 == 0 && (x / period) % 2 == 0
                    bytes[y * stride + x] = stripe ? UInt8(next() % 60) : UInt8(next() % 256)
                }
            }
        }
        #expect(try BarcodeReader().read(picture).isEmpty)
    }

    @Test(
        "A code that is cut through or painted over gives no wrong text", arguments: CodeSheet.codes
    )
    private func damaged(_ code: CodeSheet.Code) throws {
        let picture = try CodeSheet.picture(of: code)
        for share in [3, 5, 7] {
            var cut = picture
            let stride = cut.stride
            let (width, height) = (cut.width, cut.height)
            cut.withMutableBytes { bytes in
                for y in 0..<height {
                    for x in width * share / 10..<width { bytes[y * stride + x] = 255 }
                }
            }
            let found = try BarcodeReader().read(cut)
            #expect(found.allSatisfy { digitsAndLetters($0.text) == code.text })
        }
    }
}
