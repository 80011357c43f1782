import CPNGReader
import CaptureKit
import ColorProfiles

/// Decodes a PNG file of any depth and color type, transparency blended with white (libpng,
/// `png_read_row`).
///
/// The colors come from `cICP`, else `iCCP`, else `sRGB`, else `gAMA` and `cHRM`, the resolution
/// from `pHYs`, the orientation from `eXIf` (PNG, third edition, 11.3.4.3 and 11.3.2.9) or a text.
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
    let isWhole = !hasAlpha || facts.isWoven != 0
    let held =
        (format.bitsPerPixel + 7) / 8 + (hasAlpha && isWhole ? channels * (wide ? 2 : 1) : 0)
    try limits.check(width: width, height: height, bytesPerPixel: held)
    var page = try DecodedPage(format: format, width: width, height: height, limits: limits)
    guard hasAlpha || facts.rowBytes == page.stride else {
        throw .unsupported("its rows have an unknown layout")
    }
    let exif = pngExif(facts)
    let source = pngColors(facts, bytes) ?? exif.colors
    let raw =
        hasAlpha ? try PixelBuffer(byteCount: facts.rowBytes * (isWhole ? height : 1)) : page.pixels
    let colors = PageColors(
        hasAlpha ? source : nil, isColor ? .light : .gray, isDeep: wide, further: 1)
    page.problems += colors.problems
    let drawn = page
    let reading = PNGReading(cancel: cancel) { y in
        let start = isWhole ? y * facts.rowBytes : 0
        let row = UnsafeMutableRawBufferPointer(
            rebasing: raw.mutableBytes[start..<start + facts.rowBytes])
        colors.conversion?.convert(row)
        flattenRow(
            UnsafeRawBufferPointer(row), samples: channels, sixteenBits: wide, width: width,
            into: drawn.row(y))
    }
    var rows: UInt32 = 0
    let result = withExtendedLifetime(reading) {
        png_reader_read(
            reader, raw.mutableBytes.bindMemory(to: UInt8.self).baseAddress, PNGReading.stop,
            isWhole ? nil : PNGReading.flattenRow, Unmanaged.passUnretained(reading).toOpaque(),
            &rows,
            &message, message.count)
    }
    try cancel.check()
    // A file that ends early is read as far as possible.
    guard result == 0 || rows > 0 else { throw .damaged(reason(message)) }

    if hasAlpha {
        if isWhole { for y in 0..<height { reading.flatten(y) } }
    } else if format == .bilevel, width & 7 != 0 {
        // The bits after the last pixel were inverted too, so they are set to 0, which is white.
        for y in 0..<height {
            page.row(y)[page.stride - 1] &= UInt8(truncatingIfNeeded: 0xFF00 >> (width & 7))
        }
    }
    if !hasAlpha { page.convertColors(from: source) }
    page.whiten(from: Int(rows))
    if facts.hasPalette != 0 { page = try page.reduced(limits: limits) }

    page.resolution =
        plausible(
            x: Double(facts.xPixelsPerMeter) * 0.0254, y: Double(facts.yPixelsPerMeter) * 0.0254)
        ?? exif.resolution
    page.facts.origin = exif.origin
    page.isAnimation = isAnimated(bytes)
    page = try page.turned(exif.turn, limits: limits)
    if result != 0 {
        page.damage = reason(message)
    } else if facts.hasStrayAlpha != 0 {
        page.damage = "its transparency can't be read"
    }
    return page
}

/// True if there is an `acTL` chunk before the picture's data (PNG, third edition, 11.3.6.1).
private func isAnimated(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader = ByteReader(bytes: bytes)
    var place = 8
    while let length = reader.big32(place), !reader.has("IDAT", at: place + 4) {
        if reader.has("acTL", at: place + 4) { return true }
        place += 12 + length
    }
    return false
}

/// The state for reading rows: whether to stop, and what to do with a row.
private final class PNGReading {
    private let cancel: CancelFlag
    /// Blends the row with that number with white.
    let flatten: (Int) -> Void

    init(cancel: CancelFlag, flatten: @escaping (Int) -> Void) {
        self.cancel = cancel
        self.flatten = flatten
    }

    static let stop: @convention(c) (UnsafeRawPointer?) -> Int32 = {
        PNGReading.at($0).cancel.isCancelled ? 1 : 0
    }

    static let flattenRow: @convention(c) (UnsafeRawPointer?, UInt32) -> Void = {
        PNGReading.at($0).flatten(Int($1))
    }

    private static func at(_ context: UnsafeRawPointer?) -> PNGReading {
        Unmanaged<PNGReading>.fromOpaque(context!).takeUnretainedValue()
    }
}

private func reason(_ message: [CChar]) -> String {
    let words = string(message)
    return words.isEmpty ? "it can't be decoded" : words
}
