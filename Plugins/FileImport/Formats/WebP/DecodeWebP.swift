import CLeptonica
import CaptureKit
import ColorProfiles

/// Decodes a WebP file, lossy or lossless, its transparency laid over white (leptonica,
/// `pixReadMemWebP`).
///
/// An EXIF chunk's orientation and resolution are honored (the container: RFC 9649).
func decodeWebP(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let facts = try WebPChunks(ByteReader(bytes: bytes))
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    var width: Int32 = 0
    var height: Int32 = 0
    var samples: Int32 = 0
    _ = silenceLeptonica
    guard readHeaderMemWebP(start, bytes.count, &width, &height, &samples) == 0 else {
        throw .damaged("its header can't be read")
    }
    // Leptonica's 4 bytes a pixel and the 3 of the page.
    try limits.check(width: Int(width), height: Int(height), bytesPerPixel: 7)
    try limits.check(
        width: Int(width), height: Int(height), stored: bytes.count,
        least: facts.least(width: Int(width), height: Int(height)))
    var pix = pixReadMemWebP(start, bytes.count)
    guard let picture = pix else { throw .damaged("its picture data can't be decoded") }
    defer { pixDestroy(&pix) }
    guard pixGetDepth(picture) == 32, pixGetWidth(picture) == width,
        pixGetHeight(picture) == height,
        let words = pixGetData(picture)
    else { throw .damaged("it decodes to another size than its header says") }
    try cancel.check()
    var page = try DecodedPage(
        format: .rgb8, width: Int(width), height: Int(height), limits: limits)
    let hasAlpha = pixGetSpp(picture) == 4
    let wordsPerLine = Int(pixGetWpl(picture))
    let parts = hasAlpha ? 4 : 3
    let clear = try PixelBuffer(byteCount: hasAlpha ? page.width * 4 : 0)
    let colors = PageColors(hasAlpha ? facts.colors : nil, .light, further: 1)
    page.problems = colors.problems
    for y in 0..<page.height {
        let line = words + y * wordsPerLine
        let row = hasAlpha ? clear.mutableBytes : page.row(y)
        for x in 0..<page.width {
            // A word holds red, green, blue, alpha from its highest byte down.
            let word = line[x]
            for part in 0..<parts {
                row[x * parts + part] = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * part))
            }
        }
        guard hasAlpha else { continue }
        colors.conversion?.convert(clear.mutableBytes)
        flattenRow(
            clear.bytes, samples: 4, sixteenBits: false, width: page.width, into: page.row(y))
    }
    if !hasAlpha { page.convertColors(from: facts.colors) }
    page.resolution = facts.exif.resolution
    page.facts.origin = facts.exif.origin
    return try page.turned(facts.exif.turn, limits: limits)
}

/// What the chunks of a WebP file say besides its pixels.
private struct WebPChunks {
    private(set) var exif = ExifFacts()
    private var isLossy = false
    private var profile: [UInt8]?

    /// What the colors are; nil where nothing names them.
    var colors: ColorSource? { profile.map(ColorSource.profile) ?? exif.colors }

    init(_ reader: ByteReader) throws(DecodeFault) {
        guard let riff = reader.little32(4), riff + 8 <= reader.count else {
            throw .damaged("the picture breaks off before its end")
        }
        var offset = 12
        while let size = reader.little32(offset + 4), offset + 8 + size <= reader.count {
            let body = (offset + 8)..<(offset + 8 + size)
            if reader.has("ANIM", at: offset) { throw .unsupported("it is an animation") }
            if reader.has("VP8 ", at: offset) { isLossy = true }
            if reader.has("ICCP", at: offset), profile == nil {
                profile = Array(reader.slice(body))
            }
            if reader.has("EXIF", at: offset) { exif = ExifFacts(reader.slice(body)) }
            offset = body.upperBound + (size & 1)
        }
    }

    /// The fewest bytes of a picture of this size.
    func least(width: Int, height: Int) -> Int {
        // The modes alone of a block of 16 × 16 pixels take more than a bit (RFC 6386, 11.2).
        let blocks = ((width + 15) / 16) * ((height + 15) / 16)
        return isLossy ? blocks / 8 : ImportLimits.leastStored(decoded: width * height * 4)
    }
}

/// Keeps leptonica from writing to the standard error stream; evaluated once in the process.
private let silenceLeptonica: Void = { _ = setMsgSeverity(Int32(L_SEVERITY_NONE)) }()
