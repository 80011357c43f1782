import CaptureKit

/// Decodes a BMP file of 1 to 32 bits a pixel, plain or in runs; rows that are missing are white.
///
/// This decoder exists because leptonica reads neither runs nor masks. It uses only memory that
/// Swift checks.
func decodeBMP(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let reader = ByteReader(bytes: bytes)
    let header = try BMPHeader(reader)
    // Memory for the picture in color and its gray copy, and for the palette's numbers of runs.
    try limits.check(
        width: header.width, height: header.height, bytesPerPixel: header.coding == .plain ? 4 : 5)
    var page = try DecodedPage(
        format: .rgb8, width: header.width, height: header.height, limits: limits)
    page.whiten(from: 0)
    let rows: Int
    let isClear = header.hasAlpha && !hasOpacity(reader, header)
    var fault: String?
    if header.coding == .plain {
        rows = try plainRows(
            reader, header, page: page, hasAlpha: header.hasAlpha && !isClear, cancel: cancel,
            fault: &fault)
    } else {
        // A run of 255 pixels takes two bytes.
        try limits.check(
            width: header.width, height: header.height, stored: bytes.count,
            least: ImportLimits.leastStored(decoded: header.width * header.height * 3))
        // The format does not define the pixels that runs leave out; Windows, ImageMagick, MuPDF
        // and FFmpeg give them the palette's first color.
        header.fill(0..<header.height, of: page, with: header.palette.first ?? (0, 0, 0))
        var runs = BMPRuns(reader, header)
        rows = try runs.draw(on: page, cancel)
        header.fill(runs.missing, of: page, with: (255, 255, 255))
        fault = runs.fault
    }
    guard rows > 0 else { throw .damaged("it ends before its first row") }
    page.convertColors(from: bmpColors(reader))
    if header.bits <= 8 { page = try page.reduced(limits: limits) }
    page.resolution = header.resolution
    // Programs that don't support alpha write such files, which would become empty pages.
    if isClear {
        page.problems.append(
            "The file marks its whole picture as transparent; the page shows its colors.")
    }
    page.damage =
        rows < header.height ? "it ends after \(rows) of \(header.height) rows" : fault
    return page
}

/// The problem of a file with color numbers beyond its palette.
private let missingColors = "its pixels name colors that its palette lacks"

/// Draws the rows in the file, returns their number, and records problems.
private func plainRows(
    _ reader: ByteReader, _ header: BMPHeader, page: DecodedPage, hasAlpha: Bool,
    cancel: CancelFlag, fault: inout String?
) throws(DecodeFault) -> Int {
    let pixels = (header.width * header.bits + 7) / 8
    for index in 0..<header.height {
        try cancel.check()
        let start = header.offset + index * header.stride
        guard start >= 0, start + pixels <= reader.count else { return index }
        let row = header.row(index, of: page)
        for x in 0..<header.width {
            switch header.bits {
            case 1...8:
                let bit = x * header.bits
                let byte = reader.bytes[start + bit / 8] >> UInt8(8 - header.bits - bit % 8)
                if !drawColor(Int(byte) & ((1 << header.bits) - 1), header, row: row, x: x) {
                    fault = missingColors
                }
            case 24:
                let at = start + x * 3
                row[x * 3] = reader.bytes[at + 2]
                row[x * 3 + 1] = reader.bytes[at + 1]
                row[x * 3 + 2] = reader.bytes[at]
            default:
                let word = word(reader, header, start: start, x: x)
                let alpha = hasAlpha ? header.masks[3].value(word) : 255
                for part in 0..<3 {
                    row[x * 3 + part] = overWhite(header.masks[part].value(word), alpha: alpha)
                }
            }
        }
    }
    return header.height
}

private func word(_ reader: ByteReader, _ header: BMPHeader, start: Int, x: Int) -> UInt32 {
    header.bits == 16
        ? UInt32(
            reader.bytes.loadUnaligned(fromByteOffset: start + x * 2, as: UInt16.self).littleEndian)
        : reader.bytes.loadUnaligned(fromByteOffset: start + x * 4, as: UInt32.self).littleEndian
}

private func hasOpacity(_ reader: ByteReader, _ header: BMPHeader) -> Bool {
    for y in 0..<header.height {
        let start = header.offset + y * header.stride
        guard start >= 0, start + header.width * header.bits / 8 <= reader.count else {
            return false
        }
        for x in 0..<header.width
        where header.masks[3].value(word(reader, header, start: start, x: x)) > 0 {
            return true
        }
    }
    return false
}

/// Draws a pixel in a palette's color; draws it black and returns false if the palette has no such
/// color.
private func drawColor(
    _ number: Int, _ header: BMPHeader, row: UnsafeMutableRawBufferPointer, x: Int
) -> Bool {
    let isKnown = number < header.palette.count
    (row[x * 3], row[x * 3 + 1], row[x * 3 + 2]) = isKnown ? header.palette[number] : (0, 0, 0)
    return isKnown
}

extension BMPHeader {
    /// True where pixels have an alpha of their own.
    fileprivate var hasAlpha: Bool { !masks[3].isEmpty && (bits == 16 || bits == 32) }

    /// Bytes from one stored row to the next.
    fileprivate var stride: Int { (width * bits + 31) / 32 * 4 }

    /// The bytes of the row that is stored as number `index`.
    fileprivate func row(_ index: Int, of page: DecodedPage) -> UnsafeMutableRawBufferPointer {
        page.row(isTopDown ? index : height - 1 - index)
    }

    /// Fills rows, by their stored numbers, with one color.
    fileprivate func fill(
        _ rows: Range<Int>, of page: DecodedPage,
        with color: (red: UInt8, green: UInt8, blue: UInt8)
    ) {
        for index in rows {
            let row = row(index, of: page)
            for x in 0..<width {
                (row[x * 3], row[x * 3 + 1], row[x * 3 + 2]) = color
            }
        }
    }
}

/// Pixels in runs (BI_RLE8 and BI_RLE4).
private struct BMPRuns {
    private let reader: ByteReader
    private let header: BMPHeader
    private var offset: Int
    private var (x, y) = (0, 0)
    private var isEnded = false
    /// The problem with the drawn pixels; nil for none.
    private(set) var fault: String?

    /// The rows that were not drawn, because the runs ended early.
    var missing: Range<Int> {
        isEnded ? 0..<0 : min(x > 0 ? y + 1 : y, header.height)..<header.height
    }

    init(_ reader: ByteReader, _ header: BMPHeader) {
        self.reader = reader
        self.header = header
        offset = header.offset
    }

    /// Draws the existing runs, and returns how many rows they have reached.
    mutating func draw(on page: DecodedPage, _ cancel: CancelFlag) throws(DecodeFault) -> Int {
        while y < header.height {
            try cancel.check()
            guard let count = reader.byte(offset), let value = reader.byte(offset + 1) else {
                return y
            }
            offset += 2
            switch (count, value) {
            case (1..., _):
                for index in 0..<count { put(pixel(value, index), page) }
            case (_, 0): (x, y) = (0, y + 1)
            case (_, 1):
                isEnded = true
                return header.height
            case (_, 2):
                guard let right = reader.byte(offset), let up = reader.byte(offset + 1) else {
                    return y
                }
                (x, y) = (x + right, y + up)
                offset += 2
            default:
                let length = header.bits == 8 ? value : (value + 1) / 2
                for index in 0..<value {
                    guard let byte = reader.byte(offset + (header.bits == 8 ? index : index / 2))
                    else { return y }
                    put(pixel(byte, index), page)
                }
                offset += length + length & 1
            }
        }
        return header.height
    }

    /// In a byte with two pixels, the higher half comes first.
    private func pixel(_ byte: Int, _ index: Int) -> Int {
        header.bits == 8 ? byte : index & 1 == 0 ? byte >> 4 : byte & 15
    }

    private mutating func put(_ number: Int, _ page: DecodedPage) {
        if x < header.width, y < header.height {
            let row = header.row(y, of: page)
            if !drawColor(number, header, row: row, x: x) { fault = missingColors }
        } else if x > header.width {
            // With 4 bits a pixel, an extra pixel fills the last byte of an odd row.
            fault = "its runs go beyond its rows"
        }
        x += 1
    }
}
