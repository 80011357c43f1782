import CHEIF
import CLeptonica

/// A HEIC picture of 8-bit color (libheif with x265), turned by the container where asked to.
func writeHEIF(
    to path: String, width: Int, height: Int, pixels: [UInt8], alpha: Bool = false,
    orientation: heif_orientation = heif_orientation_normal
) throws {
    func check(_ error: heif_error) throws {
        guard error.code == heif_error_Ok else { throw Unexpected(String(cString: error.message)) }
    }
    let context = heif_context_alloc()
    defer { heif_context_free(context) }
    var image: OpaquePointer?
    try check(
        heif_image_create(
            Int32(width), Int32(height), heif_colorspace_RGB,
            alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &image))
    defer { heif_image_release(image) }
    try check(
        heif_image_add_plane(
            image, heif_channel_interleaved, Int32(width), Int32(height), alpha ? 32 : 24))
    var stride: Int32 = 0
    guard let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride) else {
        throw Unexpected("no plane")
    }
    let row = width * (alpha ? 4 : 3)
    for y in 0..<height {
        for x in 0..<row { plane[y * Int(stride) + x] = pixels[y * row + x] }
    }
    var encoder: OpaquePointer?
    try check(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
    defer { heif_encoder_release(encoder) }
    try check(heif_encoder_set_lossy_quality(encoder, 95))
    let options = heif_encoding_options_alloc()
    defer { heif_encoding_options_free(options) }
    options?.pointee.image_orientation = orientation
    try check(heif_context_encode_image(context, image, encoder, options, nil))
    try check(heif_context_write_to_file(context, path))
}

/// A lossless WebP picture of color and alpha (leptonica, `pixWriteMemWebP`).
func makeWebP(width: Int, height: Int, rgba: [UInt8]) throws -> [UInt8] {
    var pix = pixCreate(Int32(width), Int32(height), 32)
    defer { pixDestroy(&pix) }
    pixSetSpp(pix, 4)
    guard let data = pixGetData(pix) else { throw Unexpected("no picture") }
    for index in 0..<(width * height) {
        data[index] = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(rgba[index * 4 + $1]) }
    }
    var output: UnsafeMutablePointer<UInt8>?
    var size = 0
    guard pixWriteMemWebP(&output, &size, pix, 100, 1) == 0, let output else {
        throw Unexpected("can't write WebP")
    }
    defer { lept_free(output) }
    return Array(UnsafeBufferPointer(start: output, count: size))
}
