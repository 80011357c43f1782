/// Reads a picture's properties from the header of a JPEG (ITU-T T.81, annex B; Exif 2.3 for the
/// orientation).
struct JPEGHeader: Equatable {
    var width: Int
    var height: Int
    /// The number of color components: 1 for gray, 3 for color, 4 for CMYK.
    var components: Int
    /// True if every reader of PDFs and web pages can be expected to show it correctly: 8 bits,
    /// baseline or progressive Huffman coding, gray or YCbCr, upright.
    var isCommon: Bool

    /// Reads the header; nil when the bytes are not a JPEG.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var place = 2
        var isUpright = true
        var adobeTransform: UInt8?
        while place + 4 <= bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let end = place + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            let segment = bytes[place + 4..<end]
            switch marker {
            case 0xE1: isUpright = isUpright && exifOrientation(segment) == 1
            case 0xEE where segment.count >= 12 && segment.prefix(5).elementsEqual("Adobe".utf8):
                adobeTransform = segment[segment.startIndex + 11]
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                guard segment.count >= 6 else { return nil }
                let start = segment.startIndex
                height = Int(segment[start + 1]) << 8 | Int(segment[start + 2])
                width = Int(segment[start + 3]) << 8 | Int(segment[start + 4])
                components = Int(segment[start + 5])
                guard segment.count >= 6 + 3 * components else { return nil }
                let names = (0..<components).map { segment[start + 6 + 3 * $0] }
                // Without a marker, decoders treat components named R, G and B as RGB, and PDF
                // readers differ.
                let isRGB = names == Array("RGB".utf8) || (components == 3 && adobeTransform == 0)
                isCommon =
                    segment[start] == 8 && (0xC0...0xC2).contains(marker) && isUpright
                    && (components == 1 || (components == 3 && !isRGB))
                return
            case 0xD9, 0xDA: return nil
            default: break
            }
            place = end
        }
        return nil
    }

    /// True if the unchanged JPEG can be used for a picture of that size.
    func canStandFor(width: Int, height: Int) -> Bool {
        isCommon && self.width == width && self.height == height
    }
}

/// The orientation that an APP1 segment specifies, 1…8; 1 when it specifies none.
private func exifOrientation(_ segment: ArraySlice<UInt8>) -> Int {
    guard segment.count >= 14, segment.prefix(6).elementsEqual([0x45, 0x78, 0x69, 0x66, 0, 0])
    else {
        return 1
    }
    let tiff = Array(segment.dropFirst(6))
    let isLittle = tiff[0] == 0x49
    func number(at place: Int, bytes: Int) -> Int? {
        guard place >= 0, place + bytes <= tiff.count else { return nil }
        let part = tiff[place..<place + bytes]
        return isLittle
            ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, bytes: 4), let entries = number(at: directory, bytes: 2)
    else {
        return 1
    }
    for entry in 0..<entries {
        let place = directory + 2 + 12 * entry
        guard let tag = number(at: place, bytes: 2) else { return 1 }
        if tag == 0x0112 { return number(at: place + 8, bytes: 2) ?? 1 }
    }
    return 1
}
