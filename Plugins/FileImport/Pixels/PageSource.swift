/// A file that is read page by page on one thread.
protocol PageSource: AnyObject {
    /// Pages in the file, at least 1.
    var pageCount: Int { get }

    /// The file itself, if it is a document that may be passed on; nil by default.
    var document: OpenFile? { get }

    /// Decodes page `index`, counted from 0; nil for an entry that is not a page, such as a
    /// thumbnail.
    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage?
}

extension PageSource {
    var document: OpenFile? { nil }
}

/// A file with a single picture, which is read into memory completely.
final class PictureSource: PageSource {
    /// Decodes the bytes of a file.
    ///
    /// It checks the flag at times if the library allows that.
    typealias Decoder =
        @Sendable (UnsafeRawBufferPointer, ImportLimits, CancelFlag) throws(DecodeFault) ->
        DecodedPage

    private let decode: Decoder
    private let bytes: PixelBuffer
    private let limits: ImportLimits

    let pageCount = 1

    init(bytes: PixelBuffer, limits: ImportLimits, decode: @escaping Decoder) {
        self.bytes = bytes
        self.limits = limits
        self.decode = decode
    }

    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        try decode(bytes.bytes, limits, cancel)
    }
}
