import Documents
import Imaging
import Testing

@testable import Recognition

@Suite struct DrawnBarcodeTests {
    /// The code on white paper, with fields of `side` pixels or bars 60 pixels high.
    private func picture(_ code: DrawnBarcode, side: Int) -> Raster {
        let deep = code.height == 1 ? 60 : code.height * side
        let margin = 20 * side
        var paper = Raster(
            width: code.width * side + 2 * margin, height: deep + 2 * margin, format: .gray8)
        let stride = paper.stride
        paper.withMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt8.self, repeating: 255)
            for y in 0..<deep {
                for x in 0..<code.width * side {
                    let row = code.height == 1 ? 0 : y / side
                    if code.fields[row * code.width + x / side] {
                        bytes[(y + margin) * stride + x + margin] = 0
                    }
                }
            }
        }
        return paper
    }

    @Test(
        "Every kind of code that can be written can be read again",
        arguments: [
            (BarcodeFormat.code128, "COPYSTAND-SEPARATOR"), (.qrCode, "COPYSTAND-SEPARATOR"),
            (.qrCode, "https://example.org/ä"), (.code39, "PATCHT"), (.ean13, "4006381333931"),
            (.dataMatrix, "Matrix 1"), (.itf, "12345678"),
        ])
    func roundTrip(_ format: BarcodeFormat, _ text: String) throws {
        let code = try DrawnBarcode(format, text)
        #expect(code.fields.count == code.width * code.height)
        #expect(format.isLinear == (code.height == 1))
        let found = try BarcodeReader(formats: [format]).read(picture(code, side: 4))
        #expect(found.map(\.text) == [text])
    }

    @Test("The error for a text that a kind can't hold names the text")
    func refused() {
        do throws(BarcodeError) {
            _ = try DrawnBarcode(.ean13, "not a number")
            Issue.record("was written")
        } catch { #expect(error.message.contains("'not a number'")) }
    }
}
