import CVideo
import CaptureKit

/// A recording that is read frame by frame, from its start to its end, on one thread.
protocol RecordingSource: AnyObject {
    /// Frames in the recording; nil when that is not known before its end.
    var frameCount: Int? { get }

    /// The next frame; nil at the end.
    ///
    /// - Throws: ``DecodeFault`` when the recording can't be followed any further.
    func next(_ cancel: CancelFlag) throws(DecodeFault) -> RecordedStep?
}

/// The next part of a recording.
enum RecordedStep: Sendable {
    /// A whole frame.
    case frame(RecordedFrame)
    /// A damaged frame; later ones may be intact.
    case damaged(label: String, DecodeFault)
}

/// One frame of a recording, in a format of cameras.
struct RecordedFrame: Sendable {
    /// The source of a frame's bytes.
    enum Content: Sendable {
        /// The bytes exist already.
        case made(PixelBuffer)
        /// The bytes are drawn into memory of this size, before the next frame is requested.
        case drawn(
            count: Int, @Sendable (UnsafeMutableRawBufferPointer) throws(DecodeFault) -> Void)
    }

    /// The announcement of the frame.
    var description: FrameDescription
    /// The bytes of the frame.
    let content: Content

    /// A frame whose bytes exist already.
    init(description: FrameDescription, bytes: PixelBuffer) {
        self.init(description: description, content: .made(bytes))
    }

    /// A frame.
    init(description: FrameDescription, content: Content) {
        self.description = description
        self.content = content
    }
}

/// Gives a recording's frames names and times.
struct FrameClock: Sendable {
    /// The recording's name.
    let name: String
    /// The frames per second.
    let rate: Double

    /// The frames per second if neither the recording nor its user defines them.
    static let usualRate = 12.0
    /// A clock.
    ///
    /// - Parameters:
    ///   - asked: the rate the user asks for; 0 for the recording's own.
    ///   - own: the recording's own rate; nil for none.
    init(name: String, asked: Double, own: Double?) {
        self.name = name
        let believed = own.flatMap { ImportSettings.rates.contains($0) ? $0 : nil }
        rate = asked > 0 ? asked : believed ?? Self.usualRate
    }

    /// Seconds from the start to frame `index`, counted from 0.
    func time(_ index: Int) -> Double { Double(index) / rate }

    /// The label of frame `index`.
    func label(_ index: Int) -> String { "\(name), frame \(index + 1)" }
}

/// Opens a recording in the format that its content shows.
///
/// - Throws: ``DecodeFault``: `video` for one that is not decoded here, `notLive` for a picture or
///   document.
func openRecording(
    _ path: FilePath, settings: ImportSettings, limits: ImportLimits
) throws(DecodeFault) -> any RecordingSource {
    let file = try OpenFile(path)
    let name = shownName(path.name)
    if file.isFolder {
        return try FolderOfFrames(path, name: name, settings: settings, limits: limits)
    }
    let head = try file.read(at: 0, count: ImportFormat.headLength)
    switch RecordingKind.recognize(head) {
    case .y4m: return try Y4MSource(file, name: name, settings: settings, limits: limits)
    case .mjpeg: return MJPEGSource(file, name: name, settings: settings, limits: limits)
    case .avi: return try openAVI(file, head, name: name, settings: settings, limits: limits)
    case .quickTime:
        return try VideoSource(
            file, head, in: video_quicktime, name: name, settings: settings, limits: limits)
    case .matroska:
        return try VideoSource(
            file, head, in: video_matroska, name: name, settings: settings, limits: limits)
    case nil:
        if ImportFormat.recognize(head) != nil { throw .notLive }
        if let video = describeVideo(head) { throw .video(video) }
        if let content = ForeignContent.recognize(head, named: path) { throw .foreign(content) }
        throw .unrecognized(looksLike: describeUnknown(head, named: path))
    }
}

/// Motion JPEG is passed on unchanged, and other pictures are decoded.
private func openAVI(
    _ file: OpenFile, _ head: [UInt8], name: String, settings: ImportSettings, limits: ImportLimits
) throws(DecodeFault) -> any RecordingSource {
    do throws(DecodeFault) {
        return try AVISource(file, name: name, settings: settings, limits: limits)
    } catch {
        guard case .video = error else { throw error }
        let uncommon = error
        do throws(DecodeFault) {
            return try VideoSource(
                file, head, in: video_avi, name: name, settings: settings, limits: limits)
        } catch {
            // The first error names the coding as the file does.
            if case .video = error { throw uncommon }
            throw error
        }
    }
}
