import Documents
import Imaging
import Testing

@testable import Processing

@Suite struct BarcodesStepTests {
    private func process(_ picture: Raster, _ settings: [String] = []) async throws -> ProcessedPage
    {
        let none = try ProfileLibrary(folder: "/nonexistent").load("none")
        return try await PagePipeline(
            profile: try none.overriding(["barcodes=on"] + settings), recognizer: nil
        ).onlyPage(PageInput(image: picture, provenance: Provenance(device: "fake:1")))
    }

    @Test("A page's EAN-13 is in the step's report, and no pixel changes")
    func found() async throws {
        let page = try await process(BarsOfEAN.picture("5901234123457"))
        let report = try #require(page.steps.first { $0.name == "barcodes" })
        #expect(report.found.map(\.text) == ["5901234123457"])
        #expect(report.found.map(\.format) == ["EAN13"])
        #expect(report.summary == "read EAN13 '5901234123457'")
        #expect(report.measurements["barcodes"] == 1)
        #expect(!page.isChanged && page.problems.isEmpty)
    }

    @Test("A page without a code is reported", arguments: PixelFormat.allCases)
    func empty(_ format: PixelFormat) async throws {
        let page = try await process(Raster(width: 300, height: 200, format: format))
        #expect(page.steps.map(\.summary) == ["no barcode found"])
        #expect(page.problems.isEmpty)
    }

    @Test("Kinds that are not requested are not read", arguments: ["matrix", "QRCode", "Code128"])
    func others(_ formats: String) async throws {
        let page = try await process(
            BarsOfEAN.picture("5901234123457"), ["barcodes.formats=\(formats)"])
        let found = page.steps.flatMap(\.found)
        #expect(found.isEmpty)
    }

    @Test("The error for a mistyped kind suggests the nearest")
    func mistyped() throws {
        let none = try ProfileLibrary(folder: "/nonexistent").load("none")
        let error = #expect(throws: ProfileError.self) {
            try none.overriding(["barcodes.formats=QRCod"])
        }
        #expect(error?.problems.first?.suggestions.contains("QRCode") == true)
    }
}

/// An EAN-13 drawn by the tables of ISO/IEC 15420, so that the reader is tested with independent
/// codes.
private enum BarsOfEAN {
    private static let left: [String] = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011",
        "0110111", "0001011",
    ]
    /// The positions among the six left digits that use set B, by the first digit.
    private static let parity = [
        "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA",
        "ABBABA",
    ]

    private static func inverted(_ bits: String) -> String {
        String(bits.map { $0 == "0" ? "1" : "0" })
    }

    static func modules(_ digits: String) -> [Bool] {
        let values = digits.compactMap(\.wholeNumberValue)
        var bits = "101"
        for (value, set) in zip(values[1...6], parity[values[0]]) {
            bits += set == "A" ? left[value] : String(inverted(left[value]).reversed())
        }
        bits += "01010"
        for value in values[7...12] { bits += inverted(left[value]) }
        return (bits + "101").map { $0 == "1" }
    }

    static func picture(_ digits: String) -> Raster {
        let bars = modules(digits)
        let (module, margin, tall) = (3, 60, 150)
        var picture = Raster(
            width: bars.count * module + 2 * margin, height: tall + 2 * margin, format: .gray8)
        let stride = picture.stride
        let width = picture.width
        picture.withMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt8.self, repeating: 255)
            for y in margin..<margin + tall {
                for x in margin..<width - margin where bars[(x - margin) / module] {
                    bytes[y * stride + x] = 0
                }
            }
        }
        return picture
    }
}
