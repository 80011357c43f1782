import COpenJPEG

/// The bytes of a file as OpenJPEG reads them.
final class JPEG2000Input {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A stream of the bytes, which must not outlive this object; nil if memory runs out.
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
