/// Turns a picture as the EXIF standard describes it: by the place of the stored row 0 and column 0
/// when shown.
///
/// The code under test computes the other way round, from the shown pixel.
func shown<Pixel>(_ stored: [Pixel], width: Int, height: Int, orientation: Int) -> [Pixel] {
    let swaps = orientation >= 5
    let shownWidth = swaps ? height : width
    var result = stored
    for row in 0..<height {
        for column in 0..<width {
            let (x, y) =
                switch orientation {
                case 1: (column, row)
                case 2: (width - 1 - column, row)
                case 3: (width - 1 - column, height - 1 - row)
                case 4: (column, height - 1 - row)
                case 5: (row, column)
                case 6: (height - 1 - row, column)
                case 7: (height - 1 - row, width - 1 - column)
                default: (row, width - 1 - column)
                }
            result[y * shownWidth + x] = stored[row * width + column]
        }
    }
    return result
}

/// Packs pixels, true for black, into bilevel rows.
func packedBits(_ pixels: [Bool], width: Int) -> [UInt8] {
    let stride = (width + 7) / 8
    var bytes = [UInt8](repeating: 0, count: pixels.count / width * stride)
    for (index, isBlack) in pixels.enumerated() where isBlack {
        let x = index % width
        bytes[index / width * stride + x / 8] |= 0x80 >> UInt8(x % 8)
    }
    return bytes
}

/// Splits packed bits, highest first, into their values, row by row.
func unpackedBits(_ rows: [[UInt8]], width: Int) -> [Bool] {
    var bits: [Bool] = []
    for row in rows {
        for x in 0..<width { bits.append(row[x / 8] & (0x80 >> UInt8(x % 8)) != 0) }
    }
    return bits
}

/// Splits packed samples into pixels.
func pixels(_ bytes: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) }
}

/// Describes the first difference between two pictures; nil for equal pictures.
///
/// `#expect(a == b)` would print the difference of the arrays, which takes minutes for a picture.
func mismatch(_ got: [UInt8], _ expected: [UInt8]) -> String? {
    if got.count != expected.count { return "\(got.count) bytes instead of \(expected.count)" }
    let wrong = got.indices.filter { got[$0] != expected[$0] }
    return wrong.first.map {
        "\(wrong.count) of \(got.count) bytes differ, first \($0): \(got[$0]) instead of \(expected[$0])"
    }
}
