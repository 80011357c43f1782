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
    // A truncated file must not make us allocate the picture it claims to be: a sample takes at
    // least a bit or a byte.
    try limits.check(width: width, height: height, bytesPerPixel: (format.bitsPerPixel + 7) / 8)
    let samples = width * (isColor ? 3 : 1)
    let leastRow = kind == 4 ? (width + 7) / 8 : kind > 3 && isWide ? samples * 2 : samples
    guard leastRow <= (bytes.count - header.offset) / height else {
        throw .damaged("the picture ends before its \(height) rows are complete")
    }
    let page = try DecodedPage(format: format, width: width, height: height, limits: limits)

    if kind > 3 {
        header.skipOneSpace()
        guard leastRow <= (bytes.count - header.offset) / height else {
            throw .damaged("the picture ends before its \(height) rows are complete")
        }
    }
    for y in 0..<height {
        try cancel.check()
        let row = page.row(y)
        if kind == 4 {
            let start = header.offset + y * leastRow
            row.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + leastRow]))
            if width & 7 != 0 {
                row[leastRow - 1] &= UInt8(truncatingIfNeeded: 0xFF00 >> (width & 7))
            }
            continue
        }
        for sample in 0..<samples {
            let value: Int
            if kind > 3 {
                let at = header.offset + y * leastRow + sample * (isWide ? 2 : 1)
                value = isWide ? Int(bytes[at]) << 8 | Int(bytes[at + 1]) : Int(bytes[at])
            } else {
                value = isBits ? try header.bit() : try header.number("sample")
            }
            guard value <= maximum else {
                throw .damaged(
                    "row \(y + 1) has a sample of \(value), above its maximum of \(maximum)")
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
    }
    return page
}
