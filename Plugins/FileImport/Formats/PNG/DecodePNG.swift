import CPNGReader
import CaptureKit
import ColorProfiles

/// Decodes a PNG file of any depth and color type, transparency laid over white (libpng,
/// `png_read_row`).
///
/// The colors come from `cICP`, else `iCCP`, else `sRGB`, else `gAMA` and `cHRM`, the resolution from `pHYs`,
/// the orientation from `eXIf` (PNG, third edition, 11.3.4.3 and 11.3.2.9) or a text.
func decodePNG(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    // libpng allocates rows while it reads the header, so the size is checked before.
    try PNGSize(bytes).check(limits, stored: bytes.count)
    var facts = png_facts()
    var message = [CChar](repeating: 0, count: 128)
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let reader = png_reader_open(start, bytes.count, &facts, &message, message.count) else {
        throw .damaged(reason(message))
    }
    defer { png_reader_close(reader) }

    let width = Int(facts.width)
    let height = Int(facts.height)
    let wide = facts.bitDepth == 16
    let channels = Int(facts.channels)
    let hasAlpha = channels == 2 || channels == 4
    let isColor = channels >= 3
    let format: FrameFormat =
        facts.bitDepth == 1
        ? .bilevel : isColor ? (wide ? .rgb16 : .rgb8) : (wide ? .gray16 : .gray8)
    let held = (format.bitsPerPixel + 7) / 8 + (hasAlpha ? channels * (wide ? 2 : 1) : 0)
    try limits.check(width: width, height: height, bytesPerPixel: held)
    var page = try DecodedPage(format: format, width: width, height: height, limits: limits)
    guard hasAlpha || facts.rowBytes == page.stride else {
        throw .unsupported("its rows have an unknown layout")
    }
    let raw = hasAlpha ? try PixelBuffer(byteCount: facts.rowBytes * height) : page.pixels
    var rows: UInt32 = 0
    let result = png_reader_read(
        reader, raw.mutableBytes.bindMemory(to: UInt8.self).baseAddress,
        { Unmanaged<CancelFlag>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
        Unmanaged.passUnretained(cancel).toOpaque(), &rows, &message, message.count)
    try cancel.check()
    // One that breaks off is read as far as it goes.
    guard result == 0 || rows > 0 else { throw .damaged(reason(message)) }

    let exif = pngExif(facts)
    let source = pngColors(facts, bytes) ?? exif.colors
    if hasAlpha {
        let colors = PageColors(source, isColor ? .light : .gray, isDeep: wide, further: 1)
        colors.conversion?.convert(raw.mutableBytes)
        page.problems += colors.problems
        for y in 0..<height {
            let row = UnsafeRawBufferPointer(
                rebasing: raw.bytes[(y * facts.rowBytes)..<((y + 1) * facts.rowBytes)])
            flattenRow(row, samples: channels, sixteenBits: wide, width: width, into: page.row(y))
        }
    } else if format == .bilevel, width & 7 != 0 {
        // The bits behind the last pixel were inverted too; white is 0.
        for y in 0..<height {
            page.row(y)[page.stride - 1] &= UInt8(truncatingIfNeeded: 0xFF00 >> (width & 7))
        }
    }
    if !hasAlpha { page.convertColors(from: source) }
    page.whiten(from: Int(rows))
    if facts.hasPalette != 0 { page = try page.reduced(limits: limits) }

    page.resolution =
        plausible(
            x: Double(facts.xPixelsPerMetre) * 0.0254, y: Double(facts.yPixelsPerMetre) * 0.0254)
        ?? exif.resolution
    page.facts.origin = exif.origin
    page = try page.turned(exif.turn, limits: limits)
    if result != 0 {
        page.damage = reason(message)
    } else if facts.hasStrayAlpha != 0 {
        page.damage = "its transparency can't be read"
    }
    return page
}

private func reason(_ message: [CChar]) -> String {
    let words = string(message)
    return words.isEmpty ? "it can't be decoded" : words
}
