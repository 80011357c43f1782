import CTurboJPEG

/// A JPEG picture of packed samples (TurboJPEG, `tjCompress2`), without chroma subsampling.
func makeJPEG(
    width: Int, height: Int, gray: Bool, pixels: [UInt8], quality: Int32 = 95,
    progressive: Bool = false
) throws -> [UInt8] {
    guard let handle = tjInitCompress() else { throw Unexpected("no compressor") }
    defer { tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let format = gray ? TJPF_GRAY : TJPF_RGB
    let result = tjCompress2(
        handle, pixels, Int32(width), 0, Int32(height), Int32(format.rawValue), &output, &size,
        Int32((gray ? TJSAMP_GRAY : TJSAMP_444).rawValue), quality,
        progressive ? TJFLAG_PROGRESSIVE : 0)
    defer { tjFree(output) }
    guard result == 0, let output else { throw Unexpected("can't compress") }
    return Array(UnsafeBufferPointer(start: output, count: Int(size)))
}

/// The samples of a JPEG as TurboJPEG decodes it, as stored.
func decodedJPEG(_ bytes: [UInt8], width: Int, height: Int, gray: Bool) throws -> [UInt8] {
    guard let handle = tjInitDecompress() else { throw Unexpected("no decompressor") }
    defer { tjDestroy(handle) }
    var pixels = [UInt8](repeating: 0, count: width * height * (gray ? 1 : 3))
    let format = gray ? TJPF_GRAY : TJPF_RGB
    guard
        tjDecompress2(
            handle, bytes, UInt(bytes.count), &pixels, Int32(width), 0, Int32(height),
            Int32(format.rawValue), TJFLAG_ACCURATEDCT) == 0
    else { throw Unexpected("can't decompress") }
    return pixels
}

/// An EXIF block of one directory (EXIF 2.32, 4.6): orientation, and resolution where given.
func exifBlock(orientation: Int, resolution: (dots: Int, unit: Int)? = nil) -> [UInt8] {
    var entries: [[UInt8]] = [big16(274) + big16(3) + big32(1) + big16(orientation) + big16(0)]
    if let resolution {
        let place = 8 + 2 + 4 * 12 + 4
        entries.append(big16(282) + big16(5) + big32(1) + big32(place))
        entries.append(big16(283) + big16(5) + big32(1) + big32(place))
        entries.append(big16(296) + big16(3) + big32(1) + big16(resolution.unit) + big16(0))
    }
    var block: [UInt8] = [0x4D, 0x4D, 0, 0x2A] + big32(8) + big16(entries.count)
    block += entries.flatMap { $0 } + big32(0)
    if let resolution { block += big32(resolution.dots) + big32(1) }
    return block
}

/// The JPEG with an EXIF segment in place of its JFIF header.
func addingExif(_ block: [UInt8], to jpeg: [UInt8]) -> [UInt8] {
    let body = Array("Exif\0\0".utf8) + block
    let start = 4 + (Int(jpeg[4]) << 8 | Int(jpeg[5]))
    return [0xFF, 0xD8, 0xFF, 0xE1] + big16(body.count + 2) + body + jpeg[start...]
}

/// The JPEG with the density of its JFIF header replaced: unit 1 inches, 2 centimeters.
func settingDensity(_ dots: Int, unit: Int, in jpeg: [UInt8]) -> [UInt8] {
    var copy = jpeg
    copy.replaceSubrange(13..<18, with: [UInt8(unit)] + big16(dots) + big16(dots))
    return copy
}
