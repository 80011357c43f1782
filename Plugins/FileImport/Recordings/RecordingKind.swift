/// A recording of frames that can be watched, recognized by the bytes it begins with.
enum RecordingKind: Hashable, Sendable {
    /// YUV4MPEG2: uncompressed frames.
    case y4m
    /// Motion JPEG: pictures one after another, without anything around them.
    case mjpeg
    /// An AVI file, which may hold Motion JPEG.
    case avi

    /// The kind of a file that begins with `head`; nil when it is none.
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
        return nil
    }

    /// True when a file is a recording and nothing else: pages are not imported from it.
    ///
    /// Photographs of some telephones are several JPEG pictures in a row, so there the name
    /// decides.
    static func isRecordingAlone(_ head: [UInt8], named path: FilePath) -> Bool {
        switch recognize(head) {
        case .y4m, .avi: true
        case .mjpeg: ["mjpeg", "mjpg"].contains(path.fileExtension)
        case nil: false
        }
    }
}

/// What a video that is not decoded here is called, such as "an MP4 video"; nil when `head` begins
/// none.
func describeVideo(_ head: [UInt8]) -> String? {
    func has(_ text: StaticString, at offset: Int) -> Bool {
        head.count >= offset + text.utf8CodeUnitCount
            && head[offset...].starts(with: ascii(text))
    }
    // The pictures of ISO/IEC 14496-12 (HEIC, AVIF) were recognized before this is asked.
    if has("ftypqt", at: 4) || has("moov", at: 4) || has("mdat", at: 4) || has("wide", at: 4) {
        return "a QuickTime video"
    }
    if has("ftyp3g", at: 4) { return "a 3GP video" }
    if has("ftyp", at: 4) { return "an MP4 video" }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska or WebM video" }
    if head.starts(with: [0, 0, 1, 0xBA]) { return "an MPEG video" }
    if head.count > 188, head[0] == 0x47, head[188] == 0x47 { return "an MPEG transport stream" }
    return has("FLV", at: 0) ? "a Flash video" : nil
}
