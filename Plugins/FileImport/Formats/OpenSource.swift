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

/// Describes content of an unknown kind, for the error.
func describeUnknown(_ head: [UInt8], named path: FilePath) -> String {
    let named =
        ImportFormat.named(like: path).map { "it is named like \($0.article), but " } ?? ""
    if head.isEmpty { return "it is empty" }
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
    return named + (isText ? "it looks like text" : "its content is of no known format")
}
