internal import CLeptonica
import CaptureKit

/// A picture read from a file with leptonica, as 8-bit gray or 32-bit color.
///
/// `@unchecked Sendable`: the picture is never written to after `init`, and freed by `deinit`
/// alone.
final class PictureFile: RowPicture, @unchecked Sendable {
    /// The maximum number of pixels to decode: 60,000 × 60,000 is refused, but A3 at 600 dpi is
    /// not.
    static let mostPixels = 250_000_000
    /// Turns leptonica's own messages off, once (`setMsgSeverity`).
    static let silenceLeptonica: Void = { _ = setMsgSeverity(l_int32(L_SEVERITY_NONE)) }()

    let width: Int
    let height: Int
    let resolution: Double?
    let label: String?
    private let pix: UnsafeMutablePointer<PIX>
    private let isColor: Bool
    private let words: UnsafeMutablePointer<l_uint32>
    private let wordsPerRow: Int

    /// Reads the picture (`pixRead`, `pixReadTiff`).
    ///
    /// Blocks: call it through ``onOwnThread(_:)``.
    ///
    /// - Throws: ``CaptureError`` `damagedData` when it can't be read, `tooLarge` beyond
    ///   ``mostPixels``.
    init(_ reference: PictureReference) throws {
        PictureFile.silenceLeptonica
        try PictureFile.checkSize(reference)
        let read =
            reference.page.map { pixReadTiff(reference.path, l_int32($0)) }
            ?? pixRead(reference.path)
        var first = read
        defer { pixDestroy(&first) }
        guard let first else { throw PictureFile.damaged(reference) }
        isColor = pixGetDepth(first) == 32 || pixHasColor(first)
        guard let pix = isColor ? pixConvertTo32(first) : pixConvertTo8(first, 0),
            let words = pixGetData(pix)
        else { throw PictureFile.damaged(reference) }
        self.pix = pix
        self.words = words
        width = Int(pixGetWidth(pix))
        height = Int(pixGetHeight(pix))
        wordsPerRow = Int(pixGetWpl(pix))
        let dpi = Double(pixGetXRes(first))
        resolution = (1...10_000).contains(dpi) ? dpi : nil
        label = reference.label
    }

    deinit {
        var pix: UnsafeMutablePointer<PIX>? = pix
        pixDestroy(&pix)
    }

    func row(_ y: Int, color: Bool, into samples: UnsafeMutableBufferPointer<UInt8>) {
        // Leptonica packs samples into 32-bit words of the machine's order, beginning with the
        // highest bits.
        let row = words + y * wordsPerRow
        switch (isColor, color) {
        case (true, true):
            for x in 0..<width {
                let word = row[x]
                samples[3 * x] = UInt8(truncatingIfNeeded: word >> 24)
                samples[3 * x + 1] = UInt8(truncatingIfNeeded: word >> 16)
                samples[3 * x + 2] = UInt8(truncatingIfNeeded: word >> 8)
            }
        case (true, false):
            for x in 0..<width {
                let word = row[x]
                samples[x] =
                    RGB(
                        UInt8(truncatingIfNeeded: word >> 24),
                        UInt8(truncatingIfNeeded: word >> 16),
                        UInt8(truncatingIfNeeded: word >> 8)
                    ).luma
            }
        case (false, true):
            for x in 0..<width {
                let gray = grayByte(row, x)
                samples[3 * x] = gray
                samples[3 * x + 1] = gray
                samples[3 * x + 2] = gray
            }
        case (false, false):
            for x in 0..<width { samples[x] = grayByte(row, x) }
        }
    }

    private func grayByte(_ row: UnsafeMutablePointer<l_uint32>, _ x: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: row[x >> 2] >> (24 - 8 * UInt32(x & 3)))
    }

    /// True for every kind of TIFF `findFileFormat` knows.
    static func isTIFF(_ format: l_int32) -> Bool {
        (l_int32(IFF_TIFF)...l_int32(IFF_TIFF_ZIP)).contains(format)
            || format == l_int32(IFF_TIFF_JPEG)
    }

    /// Reads only the header (`pixReadHeader`, `readHeaderTiff`), before anything is decoded.
    private static func checkSize(_ reference: PictureReference) throws {
        var (format, width, height): (l_int32, l_int32, l_int32) = (0, 0, 0)
        let failed: l_int32
        if let page = reference.page {
            failed = readHeaderTiff(
                reference.path, l_int32(page), &width, &height, nil, nil, nil, nil, nil)
        } else {
            failed = pixReadHeader(reference.path, &format, &width, &height, nil, nil, nil)
        }
        guard failed == 0, width > 0, height > 0 else { throw damaged(reference) }
        guard width <= 65_535, height <= 65_535, Int(width) * Int(height) <= mostPixels else {
            throw CaptureError(
                .tooLarge,
                "'\(reference.label)' has \(width) × \(height) pixels; at most \(mostPixels) are read"
            )
        }
    }

    private static func damaged(_ reference: PictureReference) -> CaptureError {
        CaptureError(
            .damagedData,
            "'\(reference.label)' is damaged or not a picture that leptonica can read")
    }
}

/// True when a palette of the picture has a color that is not gray (`pixcmapHasColor`).
private func pixHasColor(_ pix: UnsafeMutablePointer<PIX>) -> Bool {
    guard let map = pixGetColormap(pix) else { return false }
    var has: l_int32 = 0
    return pixcmapHasColor(map, &has) == 0 && has != 0
}
