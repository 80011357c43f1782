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
    let reader = try open(bytes, &facts, &message)
    defer { png_reader_close(reader) }

    let (width, height, channels) = (Int(facts.width), Int(facts.height), Int(facts.channels))
    let wide = facts.bitDepth == 16
    let hasAlpha = channels == 2 || channels == 4
    let isColor = channels >= 3
    let format = pngFormat(facts)
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
        drawn.flatten(raw.row(isWhole ? y : 0, length: facts.rowBytes), colors, into: y)
    }
    var rows: UInt32 = 0
    let result = withExtendedLifetime(reading) {
        png_reader_read(
            reader, raw.mutableBytes.bindMemory(to: UInt8.self).baseAddress, PNGReading.stop,
            isWhole ? nil : PNGReading.flattenRow, Unmanaged.passUnretained(reading).toOpaque(),
            &rows, &message, message.count)
    }
    try cancel.check()
    // A file that ends early is read as far as possible.
    guard result == 0 || rows > 0 else { throw .damaged(reason(message)) }

    if hasAlpha {
        if isWhole { for y in 0..<height { reading.flatten(y) } }
    } else {
        page.clearBitsAfterRows()
        page.convertColors(from: source)
    }
    page.whiten(from: Int(rows))
    page.isAnimation = isAnimated(bytes)
    if result != 0 {
        page.damage = reason(message)
    } else if facts.hasStrayAlpha != 0 {
        page.damage = "its transparency can't be read"
    }
    return try page.described(by: facts, exif, limits)
}

private func open(
    _ bytes: UnsafeRawBufferPointer, _ facts: inout png_facts, _ message: inout [CChar]
) throws(DecodeFault) -> OpaquePointer {
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let reader = png_reader_open(start, bytes.count, &facts, &message, message.count) else {
        throw .damaged(reason(message))
    }
    return reader
}

private func pngFormat(_ facts: png_facts) -> FrameFormat {
    let isWide = facts.bitDepth == 16
    if facts.bitDepth == 1 { return .bilevel }
    return facts.channels >= 3 ? (isWide ? .rgb16 : .rgb8) : (isWide ? .gray16 : .gray8)
}

extension DecodedPage {
    /// The page as its file describes it: in few colors, with its resolution, and upright.
    fileprivate func described(
        by facts: png_facts, _ exif: ExifFacts, _ limits: ImportLimits
    ) throws(DecodeFault) -> DecodedPage {
        var page = facts.hasPalette != 0 ? try reduced(limits: limits) : self
        page.resolution =
            plausible(
                x: Double(facts.xPixelsPerMeter) * 0.0254,
                y: Double(facts.yPixelsPerMeter) * 0.0254)
            ?? exif.resolution
        page.facts.origin = exif.origin
        return try page.turned(exif.turn, limits: limits)
    }
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
