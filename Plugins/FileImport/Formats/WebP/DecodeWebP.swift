import CLeptonica
import CaptureKit
import ColorProfiles

/// Decodes a WebP file, lossy or lossless, its transparency blended with white (leptonica,
/// `pixReadMemWebP`); of an animation the first picture.
///
/// An EXIF chunk's orientation and resolution are honored (the container: RFC 9649).
func decodeWebP(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let facts = try WebPChunks(ByteReader(bytes: bytes))
    var page: DecodedPage
    if let frame = facts.frame {
        page = try decodeFrame(frame, of: facts, limits: limits, cancel: cancel)
    } else {
        page = try decodeStill(bytes, facts, limits: limits, cancel: cancel)
    }
    page.resolution = facts.exif.resolution
    page.facts.origin = facts.exif.origin
    page.isAnimation = facts.frameCount > 1
    return try page.turned(facts.exif.turn, limits: limits)
}

/// Draws an animation's first picture at its place on the canvas, which is otherwise clear.
private func decodeFrame(
    _ frame: WebPFrame, of facts: WebPChunks, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let (width, height) = (facts.width, facts.height)
    try limits.check(width: width, height: height, bytesPerPixel: 3 + 7)
    try limits.check(
        width: width, height: height, stored: frame.data.count,
        least: ImportLimits.leastStored(decoded: width * height * 3))
    let file = frame.file
    var result: Result<DecodedPage, DecodeFault> = .failure(.damaged("it has no picture"))
    file.withUnsafeBytes { still in
        do throws(DecodeFault) {
            result = .success(try decodeStill(still, facts, limits: limits, cancel: cancel))
        } catch {
            result = .failure(error)
        }
    }
    let picture = try result.get()
    guard frame.x + picture.width <= width, frame.y + picture.height <= height else {
        throw .damaged("its first picture is larger than its canvas")
    }
    if picture.width == width, picture.height == height { return picture }
    var page = try DecodedPage(format: .rgb8, width: width, height: height, limits: limits)
    page.whiten(from: 0)
    page.problems = picture.problems
    for y in 0..<picture.height {
        UnsafeMutableRawBufferPointer(rebasing: page.row(frame.y + y)[(frame.x * 3)...])
            .copyMemory(from: UnsafeRawBufferPointer(picture.row(y)))
    }
    return page
}

/// Decodes a file of one picture.
private func decodeStill(
    _ bytes: UnsafeRawBufferPointer, _ facts: WebPChunks, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
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
    else { throw .damaged("its decoded size differs from its header") }
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
    return page
}

/// What the chunks of a WebP file say besides its pixels.
private struct WebPChunks {
    private(set) var exif = ExifFacts()
    /// The canvas's size, where there is one.
    private(set) var (width, height) = (0, 0)
    /// The first picture of an animation; nil for a still one.
    private(set) var frame: WebPFrame?
    /// How many pictures an animation has; 0 for a still one.
    private(set) var frameCount = 0
    private var isLossy = false
    private var profile: [UInt8]?

    /// What the colors are; nil where nothing names them.
    var colors: ColorSource? { profile.map(ColorSource.profile) ?? exif.colors }

    init(_ reader: ByteReader) throws(DecodeFault) {
        guard let riff = reader.little32(4), riff + 8 <= reader.count else {
            throw .damaged("the picture ends before its end")
        }
        var offset = 12
        while let size = reader.little32(offset + 4), offset + 8 + size <= reader.count {
            let body = (offset + 8)..<(offset + 8 + size)
            if reader.has("VP8X", at: offset) {
                (width, height) = (
                    (reader.little24(body.lowerBound + 4) ?? 0) + 1,
                    (reader.little24(body.lowerBound + 7) ?? 0) + 1
                )
            }
            if reader.has("ANMF", at: offset) {
                if frameCount == 0 {
                    frame = WebPFrame(reader, body)
                    isLossy = frame?.isLossy ?? false
                    if frame == nil { throw .damaged("its first picture can't be read") }
                }
                frameCount += 1
            }
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
