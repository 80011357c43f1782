import CVideo

/// A video that libavcodec decodes, picture by picture; closed when the last reference is released.
///
/// Unchecked because a picture is drawn before the next is asked for, so that no two threads are in
/// the decoder at once.
final class VideoReader: @unchecked Sendable {
    /// The next part of a video.
    enum Step {
        /// A picture, to be drawn before the next one is asked for.
        case picture(video_picture)
        /// Something at one of these places in the file can't be decoded, with the reason.
        case broken(ClosedRange<Int64>, String)
        /// The file ends before its last picture.
        case brokenOff
        /// The end.
        case end
    }

    /// The properties of the pictures in the file.
    let facts: video_facts

    /// A decoder keeps up to 17 pictures that others depend on, and one for each thread, each of at
    /// most 3 bytes a pixel.
    private static let bytesPerPixel = 60

    private let file: OpenFile
    private let reader: OpaquePointer

    /// Opens a video.
    ///
    /// - Parameter kind: the name of the kind of file, such as "an MP4 video".
    /// - Throws: ``DecodeFault``: `damaged`, `tooLarge`, `video` for a codec that is not supported,
    ///   `foreign` for only sound, `videoLibrary`, `inputOutput`, `outOfMemory`.
    init(
        _ file: OpenFile, in container: video_container, called kind: String, limits: ImportLimits
    ) throws(DecodeFault) {
        self.file = file
        let mostPixels = min(limits.maximumPixels, limits.maximumDecodedBytes / Self.bytesPerPixel)
        var facts = video_facts()
        var opened: OpaquePointer?
        var message = [CChar](repeating: 0, count: 256)
        let outcome = video_open(
            file.descriptor, Int64(file.size), container, Int64(mostPixels), nil, nil, &opened,
            &facts, &message, message.count)
        guard let reader = opened else {
            switch outcome {
            case video_no_library: throw .videoLibrary(string(message))
            case video_no_picture: throw .foreign(.soundRecording)
            case video_no_decoder:
                throw .video("\(kind) whose pictures are coded as '\(string(message))'")
            default:
                // Perhaps no decoder opens because the pictures are too large.
                try Self.check(facts, limits)
                throw Self.fault(outcome, string(message), facts)
            }
        }
        self.reader = reader
        self.facts = facts
        try Self.check(facts, limits)
    }

    deinit { video_close(reader) }

    /// Refuses pictures whose decoding would take too much memory.
    static func check(_ width: Int, _ height: Int, _ limits: ImportLimits) throws(DecodeFault) {
        try limits.check(width: width, height: height, bytesPerPixel: bytesPerPixel)
    }

    private static func check(_ facts: video_facts, _ limits: ImportLimits) throws(DecodeFault) {
        guard facts.width > 0 || facts.height > 0 else { return }
        try check(Int(facts.width), Int(facts.height), limits)
    }

    /// Decodes the next picture.
    func next(_ cancel: CancelFlag) throws(DecodeFault) -> Step {
        var picture = video_picture()
        var message = [CChar](repeating: 0, count: 256)
        let outcome = withExtendedLifetime(cancel) {
            video_next(
                reader,
                { Unmanaged<CancelFlag>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
                Unmanaged.passUnretained(cancel).toOpaque(), &picture, &message, message.count)
        }
        switch outcome {
        case video_good: return .picture(picture)
        case video_broken:
            let first = min(picture.number, picture.last)
            return .broken(first...picture.last, string(message))
        case video_broken_off: return .brokenOff
        case video_ended: return .end
        default: throw Self.fault(outcome, string(message), facts)
        }
    }

    /// Draws the picture that was decoded last into `target`, whose rows are `stride` bytes apart:
    /// NV12, or gray.
    func draw(
        into target: UnsafeMutableRawBufferPointer, stride: Int
    ) throws(DecodeFault) {
        var message = [CChar](repeating: 0, count: 256)
        let outcome = video_draw(
            reader, target.bindMemory(to: UInt8.self).baseAddress, stride, &message, message.count)
        switch outcome {
        case video_good: return
        case video_odd_colors:
            throw .video("a video whose colors are of an uncommon kind (\(string(message)))")
        default: throw Self.fault(outcome, string(message), facts)
        }
    }

    private static func fault(
        _ outcome: video_outcome, _ message: String, _ facts: video_facts
    ) -> DecodeFault {
        switch outcome {
        case video_stopped: .cancelled
        case video_no_memory:
            .outOfMemory(
                min(1 << 40, max(0, Int(facts.width) * Int(facts.height))) * bytesPerPixel)
        case video_unreadable: .inputOutput(message)
        // The name that libavformat has for the box that lists the pictures, which recorders write
        // at the end.
        case _ where message == "moov atom not found":
            .damaged(
                "its list of pictures ('moov') is missing, as when the recorder lost power")
        default: .damaged(message)
        }
    }
}
