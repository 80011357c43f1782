import CHEIF
import CaptureKit
import ColorProfiles

/// The pictures of a HEIC or AVIF file, each a page, without its thumbnails and other helpers
/// (libheif, `heif_decode_image`).
///
/// The library applies the container's own rotations and mirrors (`irot`, `imir`). An EXIF
/// orientation only repeats them and is ignored (ISO/IEC 23008-12, annex A). Deeper pictures are
/// reduced to 8 bits, and transparency is blended with white.
final class HEIFSource: PageSource {
    private let bytes: PixelBuffer
    private let limits: ImportLimits
    private let context: OpaquePointer
    private let pictures: [heif_item_id]
    /// The first bytes, which contain the descriptions of the pictures.
    private let head: [UInt8]

    var pageCount: Int { pictures.count }

    init(bytes: PixelBuffer, limits: ImportLimits) throws(DecodeFault) {
        guard let context = heif_context_alloc() else { throw .outOfMemory(0) }
        self.bytes = bytes
        self.limits = limits
        self.context = context
        head = Array(bytes.bytes.prefix(16_384))
        pictures = try Self.pictures(of: bytes, context, limits)
    }

    deinit { heif_context_free(context) }

    private static func pictures(
        of bytes: PixelBuffer, _ context: OpaquePointer, _ limits: ImportLimits
    ) throws(DecodeFault) -> [heif_item_id] {
        // ISO/IEC 23008-12:2025 has a form of a few bytes, whose brand is mif3.
        if bytes.bytes.count > 12, bytes.bytes[8..<12].elementsEqual(ascii("mif3")) {
            throw .unsupported(
                "its header is in the short form (a 'mini' box), which libheif does not read")
        }
        heif_context_set_maximum_image_size_limit(context, Int32(limits.maximumSide))
        let result = heif_context_read_from_memory_without_copy(
            context, bytes.bytes.baseAddress, bytes.bytes.count, nil)
        // libheif ignores uncompressed items, and then can't find the primary one (ISO/IEC
        // 23001-17).
        if result.code != heif_error_Ok, contains(Array(bytes.bytes.prefix(16_384)), ascii("unci"))
        {
            throw .unsupported(
                "its picture is not compressed, in a form that libheif does not read")
        }
        try check(result)
        let count = heif_context_get_number_of_top_level_images(context)
        guard count > 0 else { throw .damaged("it holds no picture") }
        var list = [heif_item_id](repeating: 0, count: Int(count))
        let got = heif_context_get_list_of_top_level_image_IDs(context, &list, count)
        let items = list.prefix(Int(got)).map(Int.init)
        return DerivedItems(bytes.bytes).whole(of: items).map {
            heif_item_id($0)
        }
    }

    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        var picture: OpaquePointer?
        try check(heif_context_get_image_handle(context, pictures[index], &picture))
        guard let picture else { throw .damaged("it holds no picture") }
        defer { heif_image_handle_release(picture) }
        var page = try decode(
            picture, stored: bytes.bytes.count, mayBeGray: HEIFSource.hasMonochrome(head),
            limits: limits, cancel: cancel)
        page.isAnimation = index == 0 && HEIFSource.isSequence(head)
        // Libheif does not report an alpha that it can't read.
        if pictures.count == 1, heif_image_handle_has_alpha_channel(picture) == 0,
            contains(head, ascii("systems:auxiliary:alpha"))
        {
            page.damage = "its transparency can't be read"
        }
        return page
    }
}

private func decode(
    _ picture: OpaquePointer, stored: Int, mayBeGray: Bool, limits: ImportLimits,
    cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let hasAlpha = heif_image_handle_has_alpha_channel(picture) != 0
    let (across, down) = (
        Int(heif_image_handle_get_width(picture)), Int(heif_image_handle_get_height(picture))
    )
    // The memory holds the decoder's planes at their largest depth, the interleaved picture and the
    // page.
    try limits.check(width: across, height: down, bytesPerPixel: 12)
    try limits.check(
        width: across, height: down, stored: stored,
        least: ImportLimits.leastStored(decoded: across * down * 3))
    var decoded: OpaquePointer?
    try check(
        heif_decode_image(
            picture, &decoded, heif_colorspace_RGB,
            hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, nil))
    guard let decoded else { throw .damaged("its picture data can't be decoded") }
    defer { heif_image_release(decoded) }
    try cancel.check()

    let width = Int(heif_image_get_width(decoded, heif_channel_interleaved))
    let height = Int(heif_image_get_height(decoded, heif_channel_interleaved))
    var page = try DecodedPage(format: .rgb8, width: width, height: height, limits: limits)
    var stride: Int32 = 0
    let samples = hasAlpha ? 4 : 3
    guard let plane = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride),
        Int(stride) >= width * samples
    else { throw .damaged("its picture data can't be decoded") }
    let gray = mayBeGray ? HEIFSource.gray(picture) : (isGray: false, isNarrow: false)
    let notes = exif(of: picture)
    let source = heifColors(picture) ?? notes.colors
    let colors = PageColors(hasAlpha ? source : nil, .light, further: 1)
    page.problems = colors.problems
    let clear = try PixelBuffer(byteCount: hasAlpha ? width * 4 : 0)
    for y in 0..<height {
        let row = UnsafeRawBufferPointer(start: plane + y * Int(stride), count: width * samples)
        if hasAlpha {
            clear.mutableBytes.copyMemory(from: row)
            if gray.isNarrow { widen(clear.mutableBytes, samples: 4) }
            page.flatten(clear.mutableBytes, colors, into: y)
        } else {
            page.row(y).copyMemory(from: row)
            if gray.isNarrow { widen(page.row(y), samples: 3) }
        }
    }
    if !hasAlpha { page.convertColors(from: source) }
    if gray.isGray { page = try page.reduced(limits: limits) }
    page.resolution = notes.resolution
    page.facts.origin = notes.origin
    return page
}

/// Converts colors from limited range to full range; alpha, the fourth sample, has full range
/// already.
private func widen(_ row: UnsafeMutableRawBufferPointer, samples: Int) {
    for index in row.indices where index % samples < 3 {
        row[index] = HEIFSource.widened[Int(row[index])]
    }
}

private func exif(of picture: OpaquePointer) -> ExifFacts {
    var id: heif_item_id = 0
    guard heif_image_handle_get_list_of_metadata_block_IDs(picture, "Exif", &id, 1) == 1 else {
        return ExifFacts()
    }
    let size = heif_image_handle_get_metadata_size(picture, id)
    guard (5...(1 << 20)).contains(size) else { return ExifFacts() }
    var block = [UInt8](repeating: 0, count: size)
    guard heif_image_handle_get_metadata(picture, id, &block).code == heif_error_Ok else {
        return ExifFacts()
    }
    // The block begins with the big-endian distance from its fifth byte to the TIFF header.
    let skip = block[0..<4].reduce(0) { $0 << 8 | Int($1) } + 4
    guard skip < size else { return ExifFacts() }
    return block.withUnsafeBytes { ExifFacts(UnsafeRawBufferPointer(rebasing: $0[skip...])) }
}

private func check(_ error: heif_error) throws(DecodeFault) {
    if error.code == heif_error_Ok { return }
    if error.subcode == heif_suberror_End_of_data {
        throw .damaged("the file ends before its picture does")
    }
    let text =
        error.message.map { printable(String(cString: $0)) } ?? "error \(error.code.rawValue)"
    switch error.code {
    case heif_error_Memory_allocation_error:
        throw .tooLarge(text, limit: "what the decoder allows")
    case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
        throw .unsupported(text)
    default: throw .damaged(text)
    }
}
