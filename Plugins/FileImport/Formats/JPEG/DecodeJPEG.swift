import CJPEGReader
import CaptureKit
import ColorProfiles

/// A JPEG file: turned upright by its EXIF orientation, with its own bytes as the original where
/// nothing had to be turned.
///
/// A truncated or damaged file is read as far as possible. The pixels are sRGB; the original keeps
/// its profile, unless that can't be used.
func decodeJPEGFile(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let markers = JPEGMarkers(bytes)
    var page = try readJPEG(
        bytes, markers: markers, colors: JPEGColors.source(of: bytes), limits: limits,
        cancel: cancel)
    let damage = page.damage
    let exif = markers.exif.map { ExifFacts(ByteReader(bytes: bytes).slice($0)) } ?? ExifFacts()
    // Programs write 72 and 96 as defaults, so the other statement is more reliable.
    let isHabit = markers.resolution.map { [72, 96].contains($0.x) } ?? false
    page.resolution = (isHabit ? exif.resolution : nil) ?? markers.resolution ?? exif.resolution
    page.facts.origin = exif.origin
    try cancel.check()
    page = try page.turned(exif.turn, limits: limits)
    page.damage = damage
    if MultiPictureIndex(bytes, first: markers).hasOtherPictures {
        page.problems.append("The file has several pictures; the page is its first.")
    }
    return page
}

/// Decodes JPEG data as far as possible without applying its orientation, with the bytes as
/// original if they can be passed on.
///
/// The enclosing file defines the colors: the JPEG's own statement is ignored, and replaced in the
/// original.
func decodeJPEG(
    _ bytes: UnsafeRawBufferPointer, markers: JPEGMarkers, profile: [UInt8]? = nil,
    limits: ImportLimits
) throws(DecodeFault) -> DecodedPage {
    var page = try readJPEG(
        bytes, markers: markers, colors: profile.map(ColorSource.profile), limits: limits,
        cancel: CancelFlag())
    guard let original = page.original else { return page }
    let kind: SampleKind = page.format == .gray8 ? .gray : .light
    if let profile, PageColors(.profile(profile), kind).conversion != nil {
        page.original = EncodedOriginal(
            mediaType: original.mediaType,
            bytes: JPEGColors.replaced(in: original.bytes, by: profile))
    } else if JPEGColors.source(of: bytes) != nil {
        page.removeOriginalColors()
    }
    return page
}

extension DecodedPage {
    /// Removes the description of colors from the encoded original.
    fileprivate mutating func removeOriginalColors() {
        original = original.map {
            EncodedOriginal(mediaType: $0.mediaType, bytes: JPEGColors.removed(from: $0.bytes))
        }
    }
}

/// Decodes JPEG data as stored, as far as possible (libjpeg, `jpeg_read_scanlines`).
///
/// Stray bytes between segments are harmless, and so is a missing end marker when every pixel is
/// there. Rows that are missing are white.
private func readJPEG(
    _ bytes: UnsafeRawBufferPointer, markers: JPEGMarkers, colors: ColorSource?,
    limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    var facts = jpeg_facts()
    var message = [CChar](repeating: 0, count: 256)
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let reader = jpeg_reader_open(start, bytes.count, &facts, &message, message.count) else {
        if [0xC3, 0xC7, 0xCB, 0xCF].contains(markers.frameMarker) {
            throw .unsupported("it is a lossless JPEG")
        }
        throw .damaged(string(message))
    }
    defer { jpeg_reader_close(reader) }
    guard facts.samples > 0 else {
        throw .unsupported("its \(markers.components) components are of an unknown kind")
    }
    let (width, height) = (Int(facts.width), Int(facts.height))
    try check(facts, markers, stored: bytes.count, limits)

    var page = try DecodedPage(
        format: facts.samples == 1 ? .gray8 : .rgb8, width: width, height: height, limits: limits)
    let begun = jpeg_reader_begin(
        reader,
        { Unmanaged<CancelFlag>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
        Unmanaged.passUnretained(cancel).toOpaque(), &message, message.count)
    try cancel.check()
    guard begun == 0 else { throw .damaged(string(message)) }
    var rows = 0
    let next: (UnsafeMutableRawBufferPointer) -> Bool = { row in
        jpeg_reader_row(
            reader, row.bindMemory(to: UInt8.self).baseAddress, &message, message.count) == 0
    }
    if facts.samples == 4 {
        rows = try readInks(into: &page, colors, isInverted: markers.hasAdobe, cancel, next)
    } else {
        while rows < height {
            try cancel.check()
            guard next(page.row(rows)) else { break }
            rows += 1
        }
    }
    try cancel.check()
    if facts.samples != 4 { page.convertColors(from: colors) }
    if rows < height { page.damage = string(message) }
    page.damage = page.damage ?? jpeg_reader_damage(reader).map { printable(String(cString: $0)) }
    guard page.damage != nil else {
        if markers.isCommonFrame, jpeg_reader_is_odd(reader) == 0 || markers.end == nil,
            facts.isUsualSampling != 0, facts.samples == 1 || facts.isYCbCr != 0
        {
            page.original = original(bytes, markers)
            if !page.problems.isEmpty { page.removeOriginalColors() }
        }
        return page
    }
    rows = min(rows, Int(jpeg_reader_missing_from(reader)))
    guard rows > 0 else { throw .damaged(page.damage ?? "it has no rows") }
    page.whiten(from: rows)
    return page
}

/// Draws the rows of a picture in inks: they are collected, so that all cores can convert them.
///
/// - Parameter next: decodes the next row; false when there is none.
/// - Returns: the number of rows.
private func readInks(
    into page: inout DecodedPage, _ colors: ColorSource?, isInverted: Bool, _ cancel: CancelFlag,
    _ next: (UnsafeMutableRawBufferPointer) -> Bool
) throws(DecodeFault) -> Int {
    let (width, height) = (page.width, page.height)
    let gathered = min(height, max(1, (1 << 18) / width))
    let inks = try PixelBuffer(byteCount: gathered * width * 4)
    let inkColors = PageColors(colors, isInverted ? .invertedInks : .inks)
    page.problems = inkColors.problems
    let (pixels, stride) = (page.pixels, page.stride)
    var rows = 0
    /// Draws the last `count` rows.
    func drawRows(_ count: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: inks.bytes[..<(count * width * 4)])
        let target = UnsafeMutableRawBufferPointer(
            rebasing: pixels.mutableBytes[((rows - count) * stride)..<(rows * stride)])
        if let conversion = inkColors.conversion {
            conversion.convert(bytes, to: target)
        } else {
            drawInks(bytes, inverted: isInverted, on: target)
        }
    }
    while rows < height {
        try cancel.check()
        let place = rows % gathered
        let row = UnsafeMutableRawBufferPointer(rebasing: inks.mutableBytes[(place * width * 4)...])
        guard next(row) else {
            drawRows(place)
            break
        }
        rows += 1
        if place == gathered - 1 || rows == height { drawRows(place + 1) }
    }
    return rows
}

/// The file's bytes up to the end of its first picture, with an added end marker if only that is
/// missing.
private func original(_ bytes: UnsafeRawBufferPointer, _ markers: JPEGMarkers) -> EncodedOriginal? {
    if let end = markers.end {
        return EncodedOriginal(mediaType: "image/jpeg", bytes: Array(bytes[..<end]))
    }
    let ended = Array(bytes) + [0xFF, 0xD9]
    let end = ended.withUnsafeBytes { JPEGMarkers($0).end }
    return end.map { EncodedOriginal(mediaType: "image/jpeg", bytes: Array(ended[..<$0])) }
}

/// Refuses a size beyond the limits, or one that does not fit into the file.
private func check(
    _ facts: jpeg_facts, _ markers: JPEGMarkers, stored: Int, _ limits: ImportLimits
) throws(DecodeFault) {
    let (width, height) = (Int(facts.width), Int(facts.height))
    let pixels = max(1, width * height)
    let held = Int(clamping: facts.coefficientBytes) / pixels + 1
    try limits.check(
        width: width, height: height,
        bytesPerPixel: (facts.samples == 1 ? 1 : 3) + (facts.isProgressive != 0 ? held : 0))
    // Huffman coding takes at least one bit for each block of 8 × 8 pixels (T.81, F.1.2),
    // arithmetic coding less.
    let blocks = ((width + 7) / 8) * ((height + 7) / 8)
    try limits.check(
        width: width, height: height, stored: stored,
        least: markers.isHuffmanCoded
            ? blocks / 8 : ImportLimits.leastStored(decoded: width * height))
}

/// Turns inks into light: red is the white that cyan and black leave.
private func drawInks(
    _ inks: UnsafeRawBufferPointer, inverted: Bool, on row: UnsafeMutableRawBufferPointer
) {
    for pixel in 0..<(inks.count / 4) {
        let black = UInt32(inverted ? inks[pixel * 4 + 3] : 255 - inks[pixel * 4 + 3])
        for ink in 0..<3 {
            let light = UInt32(inverted ? inks[pixel * 4 + ink] : 255 - inks[pixel * 4 + ink])
            row[pixel * 3 + ink] = UInt8((light * black + 127) / 255)
        }
    }
}
