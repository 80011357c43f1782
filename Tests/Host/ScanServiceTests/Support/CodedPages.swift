import FoundationEssentials
import Recognition

@testable import ScanService

/// A folder of pages, some with a barcode, for the virtual feeder.
enum CodedPages {
    /// Writes a page for each text, named `p1.pgm` and so on: with the text as a Code 128, with
    /// lines of ink for "", and empty for nil.
    static func write(_ texts: [String?], to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (index, text) in texts.enumerated() {
            try Data(page(text)).write(to: URL(filePath: folder + "/p\(index + 1).pgm"))
        }
    }

    /// A binary PGM (netpbm) of 900 × 700 pixels.
    private static func page(_ text: String?) throws -> [UInt8] {
        let (width, height) = (900, 700)
        var pixels = [UInt8](repeating: 255, count: width * height)
        func fill(_ x: Int, _ y: Int, _ w: Int, _ h: Int) {
            for row in y..<y + h {
                pixels.replaceSubrange(
                    row * width + x..<row * width + x + w, with: repeatElement(0, count: w))
            }
        }
        if let text, !text.isEmpty {
            let code = try DrawnBarcode(.code128, text)
            for (column, isDark) in code.fields.enumerated() where isDark {
                fill(100 + 2 * column, 100, 2, 90)
            }
        }
        if text != nil {
            for line in 0..<6 {
                for word in 0..<8 { fill(100 + 80 * word, 300 + 50 * line, 50 + 3 * line, 18) }
            }
        }
        return Array("P5\n\(width) \(height)\n255\n".utf8) + pixels
    }
}
