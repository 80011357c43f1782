import COpenJPEG
import CaptureKit
import ColorProfiles

/// Decodes a JPEG 2000 file or bare codestream, transparency laid over white (OpenJPEG, `opj_decode`).
///
/// One that breaks off is read as far as it goes. Samples of more than 8 bits become 16.
func decodeJPEG2000(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let isBare = bytes.starts(with: [0xFF, 0x4F])
    guard let codec = opj_create_decompress(isBare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2) else {
        throw .outOfMemory(0)
    }
    defer { opj_destroy_codec(codec) }
    let messages = JPEG2000Messages()
    defer { withExtendedLifetime(messages) {} }
    let context = Unmanaged.passUnretained(messages).toOpaque()
    opj_set_error_handler(codec, JPEG2000Messages.note, context)
    opj_set_warning_handler(codec, JPEG2000Messages.note, context)
    var parameters = opj_dparameters_t()
    opj_set_default_decoder_parameters(&parameters)
    guard opj_setup_decoder(codec, &parameters) == OPJ_TRUE,
        opj_decoder_set_strict_mode(codec, OPJ_FALSE) == OPJ_TRUE
    else { throw .outOfMemory(0) }
    let input = JPEG2000Input(bytes)
    guard let stream = input.stream() else { throw .outOfMemory(0) }
    defer {
        opj_stream_destroy(stream)
        withExtendedLifetime(input) {}
    }
    var image: UnsafeMutablePointer<opj_image_t>?
    defer { opj_image_destroy(image) }
    guard opj_read_header(stream, codec, &image) == OPJ_TRUE, let image else {
        throw .damaged(messages.first ?? "its header can't be read")
    }
    let (width, height) = (
        Int(image.pointee.x1) - Int(image.pointee.x0), Int(image.pointee.y1) - Int(image.pointee.y0)
    )
    // Samples are decoded to 32 bits; the page has 3 of 16 at most.
    try limits.check(
        width: width, height: height, bytesPerPixel: min(1_000, Int(image.pointee.numcomps)) * 4 + 6
    )
    try limits.check(
        width: width, height: height, stored: bytes.count,
        least: ImportLimits.leastStored(decoded: width * height))
    messages.clear()
    guard opj_decode(codec, stream, image) == OPJ_TRUE else {
        throw .damaged(messages.first ?? "its picture data can't be decoded")
    }
    try cancel.check()
    var damage = messages.first
    if opj_end_decompress(codec, stream) != OPJ_TRUE {
        damage = damage ?? messages.first ?? "its end is missing"
    }
    var page = try JPEG2000Planes(image, width: width, height: height).page(
        colors: colors(of: image), limits: limits, cancel: cancel)
    page.damage = damage
    return page
}

/// The profile in a file's header; nil where there is none.
private func colors(of image: UnsafeMutablePointer<opj_image_t>) -> ColorSource? {
    let count = Int(image.pointee.icc_profile_len)
    // For CIELab OpenJPEG keeps numbers of its own there, and says that they are 0 bytes.
    guard count > 0, let profile = image.pointee.icc_profile_buf else { return nil }
    guard count <= ColorSource.mostBytes else { return .fault(.tooLarge) }
    return .profile(Array(UnsafeBufferPointer(start: profile, count: count)))
}

/// What OpenJPEG says, kept off the standard error stream.
private final class JPEG2000Messages {
    private(set) var first: String?

    func clear() { first = nil }

    static let note: opj_msg_callback = { text, context in
        guard let text, let context else { return }
        let messages = Unmanaged<JPEG2000Messages>.fromOpaque(context).takeUnretainedValue()
        if messages.first == nil {
            messages.first = printable(
                String(cString: text).split(separator: "\n").first.map(String.init) ?? "")
        }
    }
}

/// The bytes of a file as OpenJPEG reads them.
private final class JPEG2000Input {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A stream of the bytes, which must live as long as this; nil without memory.
    func stream() -> UnsafeMutablePointer<opj_stream_t?>? {
        guard let stream = opj_stream_create(1 << 20, OPJ_TRUE) else { return nil }
        opj_stream_set_user_data(stream, Unmanaged.passUnretained(self).toOpaque(), nil)
        opj_stream_set_user_data_length(stream, UInt64(bytes.count))
        opj_stream_set_read_function(stream) { target, count, context in
            guard let target, let context else { return -1 }
            let input = Unmanaged<JPEG2000Input>.fromOpaque(context).takeUnretainedValue()
            let most = min(Int(clamping: count), input.bytes.count - input.offset)
            guard most > 0, let start = input.bytes.baseAddress else { return -1 }
            target.copyMemory(from: start + input.offset, byteCount: most)
            input.offset += most
            return most
        }
        opj_stream_set_skip_function(stream) { count, context in
            guard let context, count >= 0 else { return -1 }
            let input = Unmanaged<JPEG2000Input>.fromOpaque(context).takeUnretainedValue()
            let most = min(Int(clamping: count), input.bytes.count - input.offset)
            input.offset += most
            return OPJ_OFF_T(most)
        }
        opj_stream_set_seek_function(stream) { place, context in
            guard let context else { return OPJ_FALSE }
            let input = Unmanaged<JPEG2000Input>.fromOpaque(context).takeUnretainedValue()
            guard (0...input.bytes.count).contains(Int(place)) else { return OPJ_FALSE }
            input.offset = Int(place)
            return OPJ_TRUE
        }
        return stream
    }
}
