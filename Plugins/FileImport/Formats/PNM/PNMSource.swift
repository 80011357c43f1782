import ExpectedFailures

/// A PNM file, which may contain several raw pictures, as from `pdftoppm` (Netpbm's ppm(5),
/// "multi-image").
final class PNMSource: PageSource {
    private let bytes: PixelBuffer
    private let limits: ImportLimits
    private let pictures: [Range<Int>]

    var pageCount: Int { pictures.count }

    init(bytes: PixelBuffer, limits: ImportLimits) {
        self.bytes = bytes
        self.limits = limits
        pictures = Self.pictures(bytes.bytes)
    }

    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        let picture = pictures[index]
        return try bytes.withBytes { bytes throws(DecodeFault) in
            try decodePNM(
                UnsafeRawBufferPointer(rebasing: bytes[picture]), limits: limits, cancel: cancel)
        }
    }

    /// The ranges of the pictures; the last one extends to the file's end.
    private static func pictures(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while let length = rawLength(UnsafeRawBufferPointer(rebasing: bytes[start...])) {
            var next = start + length
            while next < bytes.count, isPNMSpace(bytes[next]) { next += 1 }
            guard next + 2 < bytes.count, bytes[next] == UInt8(ascii: "P"),
                (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(bytes[next + 1]),
                isPNMSpace(bytes[next + 2])
            else { break }
            found.append(start..<next)
            start = next
        }
        return found + [start..<bytes.count]
    }

    /// The bytes of the first picture, including its header; nil for a plain form, and if the file
    /// ends before.
    private static func rawLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let length: Int
        if bytes.count > 1, bytes[1] == UInt8(ascii: "7") {
            guard let header = ofKnownForm({ try PAMHeader(bytes) }) else { return nil }
            length = header.end + header.rowLength * header.height
        } else {
            guard bytes.count > 1, (UInt8(ascii: "4")...UInt8(ascii: "6")).contains(bytes[1]) else {
                return nil
            }
            var header = PNMHeader(bytes: bytes)
            let isBits = bytes[1] == UInt8(ascii: "4")
            let sizes = ofKnownForm {
                (
                    try header.number("width"), try header.number("height"),
                    isBits ? 1 : try header.number("largest sample")
                )
            }
            guard let (width, height, maximum) = sizes else { return nil }
            header.skipOneSpace()
            let samples = width * (bytes[1] == UInt8(ascii: "6") ? 3 : 1)
            let row = isBits ? (width + 7) / 8 : samples * (maximum > 255 ? 2 : 1)
            length = header.offset + row * height
        }
        return length <= bytes.count ? length : nil
    }
}
