import CaptureKit

/// Decodes a PAM file (Netpbm's pam(5)): black and white, gray or color of up to 16 bits.
///
/// Transparency is blended with white.
func decodePAM(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let header = try PAMHeader(bytes)
    let isWide = header.maximum > 255
    let size = isWide ? 2 : 1
    let isColor = header.depth >= 3
    let format: FrameFormat = isColor ? (isWide ? .rgb16 : .rgb8) : (isWide ? .gray16 : .gray8)
    try limits.check(
        width: header.width, height: header.height, bytesPerPixel: format.bitsPerPixel / 8)
    let samples = header.width * header.depth
    let available = (bytes.count - header.end) / max(1, samples * size)
    let rows = min(header.height, available)
    guard rows > 0 else { throw .damaged("the picture ends before its first row") }
    // A truncated file must not take as much memory as the whole picture would.
    try limits.check(
        width: header.width, height: header.height, stored: bytes.count,
        least: ImportLimits.leastStored(
            decoded: header.width * header.height * format.bitsPerPixel / 8))
    var page = try DecodedPage(
        format: format, width: header.width, height: header.height, limits: limits)
    let line = try PixelBuffer(byteCount: samples * size)
    for y in 0..<rows {
        try cancel.check()
        let start = header.end + y * samples * size
        for sample in 0..<samples {
            let at = start + sample * size
            let value = isWide ? Int(bytes[at]) << 8 | Int(bytes[at + 1]) : Int(bytes[at])
            guard value <= header.maximum else {
                throw .damaged(
                    "row \(y + 1) has a sample of \(value), above its maximum of \(header.maximum)")
            }
            if isWide {
                let scaled = UInt16((value * 65_535 + header.maximum / 2) / header.maximum)
                line.mutableBytes.storeBytes(
                    of: scaled.littleEndian, toByteOffset: sample * 2, as: UInt16.self)
            } else {
                line.mutableBytes[sample] = UInt8(
                    (value * 255 + header.maximum / 2) / header.maximum)
            }
        }
        if header.hasAlpha {
            page.flatten(line.mutableBytes, into: y)
        } else {
            page.row(y).copyMemory(from: line.bytes)
        }
    }
    page.whiten(from: rows)
    if header.maximum == 1, !isColor { page = try page.reduced(limits: limits) }
    if rows < header.height { page.damage = "it ends after \(rows) of \(header.height) rows" }
    return page
}

/// The lines before the samples of a PAM file.
struct PAMHeader {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var depth = 0
    private(set) var maximum = 0
    /// The offset of the samples.
    private(set) var end = 0
    private var kind = ""

    /// The bytes in a row.
    var rowLength: Int { width * depth * (maximum > 255 ? 2 : 1) }

    /// True if the last sample of each pixel is alpha.
    var hasAlpha: Bool { kind.hasSuffix("_ALPHA") || kind.isEmpty && depth.isMultiple(of: 2) }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFault) {
        // Comments may make the header long, but it must end within these bytes.
        let head = Array(bytes.prefix(4_096))
        var start = 0
        while true {
            guard let stop = head[start...].firstIndex(of: 0x0A) else {
                throw .damaged("its header has no end")
            }
            let line = String(decoding: head[start..<stop], as: UTF8.self)
            let words = line.split(separator: " ", maxSplits: 1)
            start = stop + 1
            let value =
                words.count > 1 ? words[1].trimmingSuffix(while: { $0 == " " || $0 == "\r" }) : ""
            switch words.first {
            case "ENDHDR":
                end = start
                try check()
                return
            case "WIDTH": width = try Self.number(value)
            case "HEIGHT": height = try Self.number(value)
            case "DEPTH": depth = try Self.number(value)
            case "MAXVAL": maximum = try Self.number(value)
            case "TUPLTYPE": kind += value
            default: break
            }
        }
    }

    private func check() throws(DecodeFault) {
        guard width > 0, height > 0, (1...65_535).contains(maximum) else {
            throw .damaged(
                "its header states \(width) × \(height) pixels with samples up to \(maximum)")
        }
        let known = [
            "": [1, 2, 3, 4], "BLACKANDWHITE": [1], "GRAYSCALE": [1], "RGB": [3],
            "BLACKANDWHITE_ALPHA": [2], "GRAYSCALE_ALPHA": [2], "RGB_ALPHA": [4],
        ]
        guard let depths = known[kind] else {
            throw .unsupported("its pixels are of the kind '\(printable(String(kind.prefix(40))))'")
        }
        guard depths.contains(depth) else {
            throw .damaged("its pixels have \(depth) samples, which is wrong for \(kind)")
        }
    }

    private static func number(_ text: some StringProtocol) throws(DecodeFault) -> Int {
        guard text.utf8.count <= 9, let number = Int(text), number >= 0 else {
            throw .damaged(
                "its header has '\(printable(String(text.prefix(20))))' where a number should be")
        }
        return number
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isLeftOut: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return rest
    }
}
