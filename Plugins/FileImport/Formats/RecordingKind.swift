/// A recording of frames that can be watched, recognized by the bytes it begins with.
enum RecordingKind: Hashable, Sendable {
    /// YUV4MPEG2: uncompressed frames.
    case y4m
    /// Motion JPEG: pictures one after another, without a container.
    case mjpeg
    /// An AVI file, which may hold Motion JPEG.
    case avi
    /// MP4, QuickTime or 3GP (ISO/IEC 14496-12).
    case quickTime
    /// Matroska or WebM.
    case matroska

    /// The kind of a file that begins with `head`; nil when it is not a recording.
    ///
    /// A single JPEG photograph begins like a recording of one.
    static func recognize(_ head: [UInt8]) -> RecordingKind? {
        if head.starts(with: ascii("YUV4MPEG2 ")) { return .y4m }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .mjpeg }
        if head.count >= 12, head.starts(with: ascii("RIFF")),
            head[8..<12].elementsEqual(ascii("AVI "))
        {
            return .avi
        }
        if isQuickTime(head) { return .quickTime }
        return head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? .matroska : nil
    }

    /// True if a file begins with one of the boxes of videos, and is not a picture in such boxes
    /// (HEIC, AVIF, CR3).
    private static func isQuickTime(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, head[0] == 0 else { return false }
        let box = String(decoding: head[4..<8], as: UTF8.self)
        return ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains(box)
            && ImportFormat.recognize(head) == nil
    }

    /// True when a file is a recording and nothing else: pages are not imported from it.
    ///
    /// Some phones store a photograph as several JPEG pictures in a row, so for JPEG the name
    /// decides.
    static func isRecordingAlone(_ head: [UInt8], named path: FilePath) -> Bool {
        switch recognize(head) {
        case .y4m, .avi, .quickTime, .matroska: true
        case .mjpeg: ["mjpeg", "mjpg"].contains(path.fileExtension)
        case nil: false
        }
    }
}

/// The name of a kind of video, such as "an MP4 video"; nil when `head` is not the start of one.
func describeVideo(_ head: [UInt8]) -> String? {
    switch RecordingKind.recognize(head) {
    case .avi: return "an AVI video"
    case .matroska: return "a Matroska or WebM video"
    case .quickTime:
        guard head.count >= 10, head[4..<8].elementsEqual(ascii("ftyp")) else {
            return "a QuickTime video"
        }
        if head[8..<10].elementsEqual(ascii("qt")) { return "a QuickTime video" }
        return head[8..<10].elementsEqual(ascii("3g")) ? "a 3GP video" : "an MP4 video"
    case .y4m, .mjpeg: return nil
    case nil: break
    }
    if head.starts(with: [0, 0, 1, 0xBA]) { return "an MPEG video" }
    if head.count > 188, head[0] == 0x47, head[188] == 0x47 { return "an MPEG transport stream" }
    return head.starts(with: ascii("FLV")) ? "a Flash video" : nil
}
