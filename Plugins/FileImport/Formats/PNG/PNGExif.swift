import CPNGReader

/// The EXIF data of a PNG file: from its own chunk, or else from the text in which older versions
/// of ImageMagick wrote it.
func pngExif(_ facts: png_facts) -> ExifFacts {
    if let exif = facts.exif {
        return ExifFacts(UnsafeRawBufferPointer(start: exif, count: Int(facts.exifLength)))
    }
    guard let text = facts.exifText else { return ExifFacts() }
    let bytes = rawProfile(UnsafeRawBufferPointer(start: text, count: facts.exifTextLength))
    return bytes.withUnsafeBytes { ExifFacts($0) }
}

/// The bytes of a "raw profile": a line with its kind, one with its length in decimal digits, and
/// lines of hexadecimal digits.
private func rawProfile(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    guard lines.count > 2 else { return [] }
    let digits = lines[2...].joined().map { hexDigit($0) }
    guard digits.count % 2 == 0 else { return [] }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = digits[index], let low = digits[index + 1] else { return [] }
        bytes.append(high << 4 | low)
    }
    return bytes
}

private func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}
