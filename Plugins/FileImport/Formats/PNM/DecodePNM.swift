import CaptureKit

/// Decodes a PBM, PGM or PPM file, plain or raw, samples of up to 16 bits (Netpbm's pbm(5), pgm(5)
/// and ppm(5)).
///
/// Samples are scaled from the file's maximum to 255 or 65,535, rounded to nearest.
func decodePNM(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    if bytes[1] == UInt8(ascii: "7") {
        return try decodePAM(bytes, limits: limits, cancel: cancel)
    }
    var header = PNMHeader(bytes: bytes)
    let kind = Int(bytes[1]) - 0x30
    let isBits = kind == 1 || kind == 4
    let width = try header.number("width")
    let height = try header.number("height")
    let maximum = isBits ? 1 : try header.number("largest sample")
    guard (1...65_535).contains(maximum) else {
        throw .damaged("its largest sample is \(maximum), which must be from 1 to 65535")
    }
    let isWide = maximum > 255
    let isColor = kind == 3 || kind == 6
    let format: FrameFormat =
        isBits ? .bilevel : isColor ? (isWide ? .rgb16 : .rgb8) : (isWide ? .gray16 : .gray8)
    try limits.check(width: width, height: height, bytesPerPixel: (format.bitsPerPixel + 7) / 8)
    if kind > 3 { header.skipOneSpace() }
    let samples = width * (isColor ? 3 : 1)
    // A sample takes at least a bit or a byte.
    let leastRow = kind == 4 ? (width + 7) / 8 : kind > 3 && isWide ? samples * 2 : samples
    let available = max(0, bytes.count - header.offset) / leastRow
    // A truncated file must not take as much memory as the whole picture would.
    try limits.check(
        width: width, height: height, stored: bytes.count,
        least: ImportLimits.leastStored(decoded: width * height * format.bitsPerPixel / 8))
    var page = try DecodedPage(format: format, width: width, height: height, limits: limits)
    var rows = 0
    while rows < min(height, available) {
        try cancel.check()
        let row = page.row(rows)
        let start = header.offset + rows * leastRow
        if kind == 4 {
            row.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + leastRow]))
            if width & 7 != 0 {
                row[leastRow - 1] &= UInt8(truncatingIfNeeded: 0xFF00 >> (width & 7))
            }
        } else {
            let isComplete = try readRow(
                &header, rows + 1, samples: samples, maximum: maximum,
                raw: kind > 3 ? bytes[start...] : nil, isBits: isBits, into: row)
            guard isComplete else { break }
        }
        rows += 1
    }
    guard rows > 0 else { throw .damaged("the picture ends before its first row is complete") }
    page.whiten(from: rows)
    if rows < height { page.damage = "it ends after \(rows) of \(height) rows" }
    return page
}

/// Reads the samples of a row.
///
/// - Parameters:
///   - number: the row's number, from 1.
///   - raw: the row's bytes; nil for a plain form, whose numbers follow the header.
/// - Returns: false if the file ends before the row does.
private func readRow(
    _ header: inout PNMHeader, _ number: Int, samples: Int, maximum: Int,
    raw: Slice<UnsafeRawBufferPointer>?, isBits: Bool, into row: UnsafeMutableRawBufferPointer
) throws(DecodeFault) -> Bool {
    let isWide = maximum > 255
    for sample in 0..<samples {
        let value: Int?
        if let raw {
            let at = raw.startIndex + sample * (isWide ? 2 : 1)
            value = isWide ? Int(raw[at]) << 8 | Int(raw[at + 1]) : Int(raw[at])
        } else {
            value = isBits ? try header.bit() : try header.sample()
        }
        guard let value else { return false }
        guard value <= maximum else {
            throw .damaged(
                "row \(number) has a sample of \(value), above its maximum of \(maximum)")
        }
        if isBits {
            if value == 1 { row[sample >> 3] |= 0x80 >> UInt8(sample & 7) }
        } else if isWide {
            let scaled = UInt16((value * 65_535 + maximum / 2) / maximum)
            row.storeBytes(of: scaled.littleEndian, toByteOffset: sample * 2, as: UInt16.self)
        } else {
            row[sample] = UInt8((value * 255 + maximum / 2) / maximum)
        }
    }
    return true
}
