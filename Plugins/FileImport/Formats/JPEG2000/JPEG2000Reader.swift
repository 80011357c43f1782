import COpenJPEG

/// A JPEG 2000 file whose header has been read, and the decoder for the rest (OpenJPEG).
final class JPEG2000Reader {
    /// The picture: its size, and once decoded its samples.
    let image: UnsafeMutablePointer<opj_image_t>
    /// Tiles of the picture.
    let tileCount: Int
    private let codec: UnsafeMutablePointer<opj_codec_t?>
    private let stream: UnsafeMutablePointer<opj_stream_t?>
    private let messages = JPEG2000Messages()
    private let input: JPEG2000Input

    /// Reads the header of a file or bare codestream; `bytes` must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFault) {
        let isBare = bytes.starts(with: [0xFF, 0x4F])
        guard let codec = opj_create_decompress(isBare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2) else {
            throw .outOfMemory(0)
        }
        let input = JPEG2000Input(bytes)
        guard let stream = input.stream() else {
            opj_destroy_codec(codec)
            throw .outOfMemory(0)
        }
        let context = Unmanaged.passUnretained(messages).toOpaque()
        opj_set_error_handler(codec, JPEG2000Messages.note, context)
        opj_set_warning_handler(codec, JPEG2000Messages.note, context)
        var parameters = opj_dparameters_t()
        opj_set_default_decoder_parameters(&parameters)
        var image: UnsafeMutablePointer<opj_image_t>?
        guard opj_setup_decoder(codec, &parameters) == OPJ_TRUE,
            opj_decoder_set_strict_mode(codec, OPJ_FALSE) == OPJ_TRUE,
            opj_read_header(stream, codec, &image) == OPJ_TRUE, let image
        else {
            opj_image_destroy(image)
            opj_stream_destroy(stream)
            opj_destroy_codec(codec)
            throw .damaged(messages.first ?? "its header can't be read")
        }
        // OpenJPEG reports messages before anything is decoded, but not after a failure.
        var info = opj_get_cstr_info(codec)
        tileCount = info.map { Int($0.pointee.tw) * Int($0.pointee.th) } ?? 0
        opj_destroy_cstr_info(&info)
        self.image = image
        self.codec = codec
        self.stream = stream
        self.input = input
        messages.clear()
    }

    deinit {
        opj_image_destroy(image)
        opj_stream_destroy(stream)
        opj_destroy_codec(codec)
    }

    /// The first fault after the header; nil for none.
    var fault: String? { messages.first }

    /// Decodes the whole picture: false if part of it is missing or damaged.
    func decode() -> Bool { opj_decode(codec, stream, image) == OPJ_TRUE }

    /// Reads the data after the picture; false if it is damaged.
    func end() -> Bool { opj_end_decompress(codec, stream) == OPJ_TRUE }

    /// Decodes one tile into ``image``; false if that fails.
    ///
    /// A reader whose decoding failed can't be used anymore.
    func decodeTile(_ index: Int) -> Bool {
        opj_get_decoded_tile(codec, stream, image, UInt32(clamping: index)) == OPJ_TRUE
    }
}

/// Receives the messages of OpenJPEG, so that they don't appear on standard error.
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
