import COpenJPEG
import CaptureKit
import ColorProfiles

/// Decodes a JPEG 2000 file or bare codestream, transparency blended with white (OpenJPEG,
/// `opj_decode`).
///
/// A truncated file is read as far as possible, tile by tile if needed. Samples of more than 8 bits
/// become 16-bit.
func decodeJPEG2000(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let reader = try JPEG2000Reader(bytes)
    let image = reader.image
    let (width, height) = (
        Int(image.pointee.x1) - Int(image.pointee.x0), Int(image.pointee.y1) - Int(image.pointee.y0)
    )
    // Samples are decoded to 32 bits; the page has at most three of 16 bits.
    try limits.check(
        width: width, height: height, bytesPerPixel: min(1_000, Int(image.pointee.numcomps)) * 4 + 6
    )
    try limits.check(
        width: width, height: height, stored: bytes.count,
        least: ImportLimits.leastStored(decoded: width * height))
    let isDecoded = reader.decode()
    // Missing tiles are black, unless each tile is decoded on its own.
    guard isDecoded, reader.fault == nil || reader.tileCount <= 1 else {
        let fault = reader.fault ?? "its picture data can't be decoded"
        guard reader.tileCount > 1 else { throw .damaged(fault) }
        return try decodeTiles(
            reader.tileCount, of: bytes, width: width, height: height, fault, limits: limits,
            cancel: cancel)
    }
    try cancel.check()
    var damage = reader.fault
    if !reader.end() { damage = damage ?? reader.fault ?? "its end is missing" }
    var page = try JPEG2000Planes(image, width: width, height: height).page(
        colors: colors(of: image), limits: limits, cancel: cancel)
    page.damage = damage
    return page
}

/// Decodes the readable tiles, on white.
private func decodeTiles(
    _ count: Int, of bytes: UnsafeRawBufferPointer, width: Int, height: Int, _ damage: String,
    limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    // Each failure needs a new reader, so decoding ends after this many.
    let mostFailures = 16
    var failures = 0
    var reader = try JPEG2000Reader(bytes)
    let image = reader.image.pointee
    let (left, top) = (Int(image.x0), Int(image.y0))
    let source = colors(of: reader.image)
    var page: DecodedPage?
    for index in 0..<count where failures < mostFailures {
        try cancel.check()
        guard reader.decodeTile(index) else {
            failures += 1
            reader = try JPEG2000Reader(bytes)
            continue
        }
        let (x, y) = (Int(reader.image.pointee.x0) - left, Int(reader.image.pointee.y0) - top)
        let (across, down) = (
            Int(reader.image.pointee.x1) - left - x, Int(reader.image.pointee.y1) - top - y
        )
        guard x >= 0, y >= 0, across > 0, down > 0, x + across <= width, y + down <= height else {
            throw .damaged(damage)
        }
        let tile = try JPEG2000Planes(reader.image, width: across, height: down).page(
            colors: source, isReduced: false, limits: limits, cancel: cancel)
        if page == nil {
            page = try DecodedPage(
                format: tile.format, width: width, height: height, limits: limits)
            page?.problems = tile.problems
            page?.whiten(from: 0)
        }
        guard let page, page.format == tile.format else { throw .damaged(damage) }
        let pixel = page.format.bitsPerPixel / 8
        for row in 0..<down {
            UnsafeMutableRawBufferPointer(rebasing: page.row(y + row)[(x * pixel)...])
                .copyMemory(from: UnsafeRawBufferPointer(tile.row(row)))
        }
    }
    guard var page else { throw .damaged(damage) }
    page.damage = damage
    return page
}

/// The profile in a file's header; nil where there is none.
private func colors(of image: UnsafeMutablePointer<opj_image_t>) -> ColorSource? {
    let count = Int(image.pointee.icc_profile_len)
    // For CIELab, OpenJPEG keeps its own numbers there, and gives their length as 0 bytes.
    guard count > 0, let profile = image.pointee.icc_profile_buf else { return nil }
    guard count <= ColorSource.mostBytes else { return .fault(.tooLarge) }
    return .profile(Array(UnsafeBufferPointer(start: profile, count: count)))
}
