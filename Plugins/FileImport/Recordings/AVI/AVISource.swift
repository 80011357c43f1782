/// Motion JPEG in an AVI file, of any length (OpenDML).
///
/// Chunks are followed through all lists of frames. No index is used: recorders that were switched
/// off wrote none, and an index may be wrong.
final class AVISource: RecordingSource {
    /// The maximum number of chunks in a row without a frame; more of them are damage.
    private static let mostBetween = 1_000_000

    private let file: OpenFile
    private let clock: FrameClock
    private let limits: ImportLimits
    private let header: AVIHeader
    private let names: [String]
    private var offset: Int
    private var index = 0

    init(
        _ file: OpenFile, name: String, settings: ImportSettings, limits: ImportLimits
    ) throws(DecodeFault) {
        self.file = file
        self.limits = limits
        header = try AVIHeader(file)
        clock = FrameClock(name: name, asked: settings.rate, own: header.rate)
        offset = header.frames
        let digits = header.stream < 10 ? "0\(header.stream)" : "\(header.stream)"
        names = [digits + "dc", digits + "db"]
    }

    var frameCount: Int? { nil }

    func next(_ cancel: CancelFlag) throws(DecodeFault) -> RecordedStep? {
        for _ in 0..<Self.mostBetween {
            try cancel.check()
            guard let chunk = try AVIChunk(file, at: offset) else { return nil }
            let isEntered =
                chunk.name == "RIFF"
                || chunk.name == "LIST" && ["movi", "rec "].contains(chunk.type)
            offset = isEntered ? chunk.body + 4 : chunk.next
            guard names.contains(chunk.name) else { continue }
            defer { index += 1 }
            // An empty chunk repeats the frame before it: the picture stays the same, but time
            // passes.
            if chunk.size == 0 { continue }
            let label = clock.label(index)
            guard chunk.size <= file.size - chunk.body else {
                return .damaged(label: label, .brokenOff)
            }
            do throws(DecodeFault) {
                return .frame(try frame(chunk, label))
            } catch {
                if case .unsupported = error { throw error }
                return .damaged(label: label, error)
            }
        }
        throw .damaged("\(Self.mostBetween) chunks in a row hold no frame")
    }

    private func frame(_ chunk: AVIChunk, _ label: String) throws(DecodeFault) -> RecordedFrame {
        guard chunk.size <= MJPEGSource.mostBytes(limits) else {
            throw .damaged("the frame takes \(chunk.size >> 20) MiB")
        }
        let time = clock.time(index)
        return try file.buffer(at: chunk.body, count: chunk.size)
            .withBytes { bytes throws(DecodeFault) in
                guard bytes.starts(with: [0xFF, 0xD8]) else {
                    throw .damaged("the frame is not a JPEG picture")
                }
                let markers = JPEGMarkers(bytes)
                if header.height > 1, markers.height == (header.height + 1) / 2 {
                    throw .unsupported("its frames are interlaced")
                }
                return try jpegFrame(bytes, markers, label: label, time: time, limits: limits)
            }
    }
}
