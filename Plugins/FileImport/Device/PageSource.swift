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

/// Opens a file as the format its content shows.
///
/// - Throws: ``OpenFailure``; its fault is `unrecognized` when the content is of no known format.
func openSource(
    _ path: FilePath, settings: ImportSettings, limits: ImportLimits
) throws(OpenFailure) -> (format: ImportFormat, source: any PageSource) {
    var recognized: ImportFormat?
    do throws(DecodeFault) {
        let file = try OpenFile(path)
        if file.isFolder { throw .inputOutput("it is a folder that can't be listed") }
        let head = try file.read(at: 0, count: ImportFormat.headLength)
        if RecordingKind.isRecordingAlone(head, named: path) { throw .recording }
        guard let format = try ImportFormat.recognize(head, in: file) else {
            if let video = describeVideo(head) { throw .video(video) }
            if let content = ForeignContent.recognize(head, named: path) { throw .foreign(content) }
            if head.isEmpty, file.hasUnreportedBytes { throw .sizeless }
            throw .unrecognized(looksLike: describeUnknown(head, named: path))
        }
        recognized = format
        return (format, try format.open(file, settings, limits))
    } catch {
        throw OpenFailure(fault: error, format: recognized)
    }
}

/// The error for a file that could not be opened, with the format that it showed.
struct OpenFailure: Error {
    /// The failure.
    let fault: DecodeFault
    /// The format that its content shows, if known.
    let format: ImportFormat?

    /// True for a file of a kind without pages, whose name does not claim otherwise, so that it is
    /// skipped in a folder.
    func isOfAnotherKind(_ path: FilePath) -> Bool {
        switch fault {
        case .noFile: true
        case .foreign(let content) where content.hasPages: false
        case .unrecognized, .video, .recording, .foreign:
            ImportFormat.named(like: path) == nil
        default: false
        }
    }
}
