import CTurboJPEG
import CaptureKit

/// A JPEG file: turned upright by its EXIF orientation, with its own bytes as the original where nothing had to be turned.
func decodeJPEGFile(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let markers = JPEGMarkers(bytes)
    var page = try decodeJPEG(bytes, markers: markers, limits: limits)
    let exif = markers.exif.map { ExifFacts(ByteReader(bytes: bytes).slice($0)) } ?? ExifFacts()
    page.resolution = markers.resolution ?? exif.resolution
    page.facts.origin = exif.origin
    try cancel.check()
    return try page.turned(exif.turn, limits: limits)
}

/// Decodes JPEG data as stored (TurboJPEG, `tjDecompress2`), with the bytes as original where they can be passed on.
///
/// libjpeg fills what a truncated file lacks with gray and only warns; here that is damage. Its warning about stray
/// bytes between segments alone is harmless, and so is a missing end marker when every pixel is there.
func decodeJPEG(
    _ bytes: UnsafeRawBufferPointer, markers: JPEGMarkers, limits: ImportLimits
) throws(DecodeFault) -> DecodedPage {
    if markers.end == nil {
        let ended = try PixelBuffer(byteCount: bytes.count + 2)
        ended.mutableBytes.copyMemory(from: bytes)
        ended.mutableBytes[bytes.count] = 0xFF
        ended.mutableBytes[bytes.count + 1] = 0xD9
        let markers = JPEGMarkers(ended.bytes)
        guard markers.end != nil else { throw .damaged("it breaks off before its picture") }
        return try decodeJPEG(ended.bytes, markers: markers, limits: limits)
    }
    guard let handle = tjInitDecompress() else { throw .outOfMemory(0) }
    defer { tjDestroy(handle) }
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    let count = UInt(bytes.count)
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var space: Int32 = 0
    guard tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &space) == 0
    else {
        if [0xC3, 0xC7, 0xCB, 0xCF].contains(markers.frameMarker) {
            throw .unsupported("it is a lossless JPEG")
        }
        throw .damaged(message(handle))
    }
    let isInk = space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue)
    let isGray = space == Int32(TJCS_GRAY.rawValue)
    // The decoder's own copy of a progressive picture's coefficients takes two bytes a sample.
    try limits.check(
        width: Int(width), height: Int(height), bytesPerPixel: isInk ? 12 : isGray ? 3 : 9)
    // Huffman coding takes a bit at least for each block of 8 × 8 pixels (T.81, F.1.2), arithmetic coding less.
    let blocks = ((Int(width) + 7) / 8) * ((Int(height) + 7) / 8)
    try limits.check(
        width: Int(width), height: Int(height), stored: bytes.count,
        least: markers.isHuffmanCoded
            ? blocks / 8 : ImportLimits.leastStored(decoded: Int(width) * Int(height)))

    var page = try DecodedPage(
        format: isGray ? .gray8 : .rgb8, width: Int(width), height: Int(height), limits: limits)
    let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
    if isInk {
        let inks = try PixelBuffer(byteCount: Int(width) * Int(height) * 4)
        try decompress(TJPF_CMYK, into: inks.mutableBytes)
        layInks(inks.bytes, inverted: markers.hasAdobe, on: page)
        return page
    }
    try decompress(isGray ? TJPF_GRAY : TJPF_RGB, into: page.pixels.mutableBytes)
    if markers.isCommonFrame, let end = markers.end, isGray || space == Int32(TJCS_YCbCr.rawValue) {
        page.original = EncodedOriginal(mediaType: "image/jpeg", bytes: Array(bytes[..<end]))
    }
    return page

    func decompress(_ format: TJPF, into output: UnsafeMutableRawBufferPointer) throws(DecodeFault)
    {
        let result = tjDecompress2(
            handle, start, count, output.bindMemory(to: UInt8.self).baseAddress, width, 0, height,
            Int32(format.rawValue), flags)
        if result == 0 { return }
        let text = message(handle)
        let isHarmless =
            tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
            && text.contains("extraneous bytes")
        if !isHarmless { throw .damaged(text) }
    }
}

/// Turns inks into light: red is what cyan and black leave of white.
private func layInks(_ inks: UnsafeRawBufferPointer, inverted: Bool, on page: DecodedPage) {
    let output = page.pixels.mutableBytes
    for pixel in 0..<(page.width * page.height) {
        let black = UInt32(inverted ? inks[pixel * 4 + 3] : 255 - inks[pixel * 4 + 3])
        for ink in 0..<3 {
            let light = UInt32(inverted ? inks[pixel * 4 + ink] : 255 - inks[pixel * 4 + ink])
            output[pixel * 3 + ink] = UInt8((light * black + 127) / 255)
        }
    }
}

private func message(_ handle: tjhandle) -> String {
    tjGetErrorStr2(handle).map { printable(String(cString: $0)) } ?? "unknown error"
}
