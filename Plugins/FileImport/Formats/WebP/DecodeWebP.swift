import CWebP
import CaptureKit
import ColorProfiles

/// Decodes a WebP file, lossy or lossless, its transparency blended with white (libwebp's
/// incremental decoder); of an animation the first picture.
///
/// A truncated or damaged file is read as far as possible. An EXIF chunk's orientation and
/// resolution are honored (the container: RFC 9649).
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
    let damage = page.damage ?? (facts.isCut ? "it ends before its last part" : nil)
    page = try page.turned(facts.exif.turn, limits: limits)
    page.damage = damage
    return page
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
    page.damage = picture.damage
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
    var features = WebPBitstreamFeatures()
    guard WebPGetFeatures(start, bytes.count, &features) == VP8_STATUS_OK else {
        throw .damaged("its header can't be read")
    }
    let (width, height) = (Int(features.width), Int(features.height))
    let hasAlpha = features.has_alpha != 0
    // The memory holds 4 bytes per pixel for the decoder and 3 for the page.
    try limits.check(width: width, height: height, bytesPerPixel: 7)
    try limits.check(
        width: width, height: height, stored: bytes.count,
        least: facts.least(width: width, height: height))
    var page = try DecodedPage(format: .rgb8, width: width, height: height, limits: limits)
    let clear = try PixelBuffer(byteCount: hasAlpha ? width * height * 4 : 0)
    let target = hasAlpha ? clear.mutableBytes : page.pixels.mutableBytes
    guard
        let decoder = WebPINewRGB(
            hasAlpha ? MODE_RGBA : MODE_RGB,
            target.bindMemory(to: UInt8.self).baseAddress, target.count,
            Int32(width * (hasAlpha ? 4 : 3)))
    else { throw .outOfMemory(target.count) }
    defer { WebPIDelete(decoder) }
    let status = WebPIUpdate(decoder, start, bytes.count)
    if status == VP8_STATUS_OUT_OF_MEMORY { throw .outOfMemory(target.count) }
    var rows: Int32 = 0
    let hasRows = WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil
    guard hasRows, rows > 0 else { throw .damaged("its picture data can't be decoded") }
    try cancel.check()
    if hasAlpha {
        let colors = PageColors(facts.colors, .light, further: 1)
        page.problems = colors.problems
        for y in 0..<Int(rows) { page.flatten(clear.row(y, length: width * 4), colors, into: y) }
    } else {
        page.convertColors(from: facts.colors)
    }
    page.whiten(from: Int(rows))
    if status != VP8_STATUS_OK {
        page.damage = "it can be read up to row \(rows) of \(height)"
    }
    return page
}

/// The chunks of a WebP file besides its pixels.
private struct WebPChunks {
    private(set) var exif = ExifFacts()
    /// The canvas's size, where there is one.
    private(set) var (width, height) = (0, 0)
    /// The first picture of an animation; nil for a still one.
    private(set) var frame: WebPFrame?
    /// The number of pictures in an animation; 0 for a still.
    private(set) var frameCount = 0
    /// True if the file ends earlier than its header states.
    private(set) var isCut = false
    private var isLossy = false
    private var profile: [UInt8]?

    /// The colors; nil if nothing names them.
    var colors: ColorSource? { profile.map(ColorSource.profile) ?? exif.colors }

    init(_ reader: ByteReader) throws(DecodeFault) {
        guard let riff = reader.little32(4) else { throw .damaged("its header is cut short") }
        isCut = riff + 8 > reader.count
        var offset = 12
        while let size = reader.little32(offset + 4), offset + 8 <= reader.count {
            let body = (offset + 8)..<min(offset + 8 + size, reader.count)
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
            offset += 8 + size + (size & 1)
        }
    }

    /// The minimum number of bytes of a picture of this size.
    func least(width: Int, height: Int) -> Int {
        // The modes of a block of 16 × 16 pixels alone take more than one bit (RFC 6386, 11.2).
        let blocks = ((width + 15) / 16) * ((height + 15) / 16)
        return isLossy ? blocks / 8 : ImportLimits.leastStored(decoded: width * height * 4)
    }
}
