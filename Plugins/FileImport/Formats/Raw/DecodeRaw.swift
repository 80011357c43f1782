import CRaw
import CaptureKit

/// Develops a camera's raw picture with the white balance of the camera, in sRGB and upright
/// (LibRaw, `libraw_dcraw_process`).
///
/// The thumbnails in the file are never the page.
func decodeRaw(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    guard let raw = libraw_init(0) else { throw .outOfMemory(0) }
    defer { libraw_close(raw) }
    raw.pointee.params.use_camera_wb = 1
    raw.pointee.params.output_bps = 8
    // sRGB
    raw.pointee.params.output_color = 1
    try check(
        libraw_open_buffer(raw, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count))
    let sizes = raw.pointee.sizes
    // The memory holds the sensor's samples, four of 16 bits for each pixel while the picture is
    // developed, the picture, and the page.
    for (width, height) in [(sizes.raw_width, sizes.raw_height), (sizes.width, sizes.height)] {
        try limits.check(width: Int(width), height: Int(height), bytesPerPixel: 16)
        try limits.check(
            width: Int(width), height: Int(height), stored: bytes.count,
            least: ImportLimits.leastStored(decoded: Int(width) * Int(height) * 2))
    }
    try check(libraw_unpack(raw))
    try cancel.check()
    try check(libraw_dcraw_process(raw))
    try cancel.check()
    var code: Int32 = 0
    guard let picture = libraw_dcraw_make_mem_image(raw, &code) else {
        try check(code)
        throw .damaged("its picture data can't be decoded")
    }
    defer { libraw_dcraw_clear_mem(picture) }
    let (width, height, samples) = (
        Int(picture.pointee.width), Int(picture.pointee.height), Int(picture.pointee.colors)
    )
    guard picture.pointee.type == LIBRAW_IMAGE_BITMAP, picture.pointee.bits == 8,
        samples == 1 || samples == 3,
        Int(picture.pointee.data_size) >= width * height * samples
    else { throw .unsupported("its pixels are of an unknown kind") }
    let page = try DecodedPage(
        format: samples == 1 ? .gray8 : .rgb8, width: width, height: height, limits: limits)
    let offset = MemoryLayout<libraw_processed_image_t>.offset(of: \.data) ?? 0
    page.pixels.mutableBytes.copyMemory(
        from: UnsafeRawBufferPointer(
            start: UnsafeRawPointer(picture) + offset, count: width * height * samples))
    return page
}

private func check(_ code: Int32) throws(DecodeFault) {
    if code == 0 { return }
    let text = libraw_strerror(code).map { printable(String(cString: $0)) } ?? "error \(code)"
    switch code {
    case LIBRAW_UNSUFFICIENT_MEMORY.rawValue, LIBRAW_TOO_BIG.rawValue:
        throw .tooLarge("a camera's raw file", limit: "what LibRaw accepts")
    default:
        // LibRaw does not distinguish damage from a compression that it does not know.
        throw .unsupported("LibRaw finds no picture in it (\(text)), and a thumbnail is not a page")
    }
}
