import CaptureKit

/// A YUV4MPEG2 file: a line about all frames, then each frame's own line and its planes.
final class Y4MSource: RecordingSource {
    /// The longest line about all frames; a longer one is damage.
    private static let longestHeader = 4_096
    /// The longest line before a frame; a longer one is damage.
    private static let longestFrameLine = 256

    private let file: OpenFile
    private let header: Y4MHeader
    private let clock: FrameClock
    private var offset: Int
    private var index = 0

    init(
        _ file: OpenFile, name: String, settings: ImportSettings, limits: ImportLimits
    ) throws(DecodeFault) {
        self.file = file
        let line = try Self.line(file, at: 0, longest: Self.longestHeader)
        header = try Y4MHeader(line, limits: limits)
        clock = FrameClock(name: name, asked: settings.rate, own: header.rate)
        offset = line.count + 1
    }

    /// The number of frames that fit in the file if their lines have no parameters, which is almost
    /// always the case.
    var frameCount: Int? { (file.size - offset) / (header.frameBytes + 6) + index }

    func next(_ cancel: CancelFlag) throws(DecodeFault) -> RecordedStep? {
        let word = ascii("FRAME")
        let begin = try file.read(at: offset, count: word.count + 1)
        guard begin.starts(with: word.prefix(begin.count)),
            begin.count <= word.count || begin[word.count] == 0x20 || begin[word.count] == 0x0A
        else {
            throw .damaged("no frame begins at byte \(offset)")
        }
        if begin.isEmpty { return nil }
        guard header.frameBytes < file.size - offset - word.count else { return brokenOff() }
        let line = try Self.line(file, at: offset, longest: Self.longestFrameLine)
        let start = offset + line.count + 1
        guard header.frameBytes <= file.size - start else { return brokenOff() }
        let planes = try file.buffer(at: start, count: header.frameBytes)
        try cancel.check()
        var frame = try planes.withBytes { bytes throws(DecodeFault) in
            try cameraFrame(bytes, header)
        }
        frame.description.label = clock.label(index)
        frame.description.time = clock.time(index)
        offset = start + header.frameBytes
        index += 1
        return .frame(frame)
    }

    private func brokenOff() -> RecordedStep {
        offset = file.size
        return .damaged(label: clock.label(index), .brokenOff)
    }

    private static func line(
        _ file: OpenFile, at offset: Int, longest: Int
    ) throws(DecodeFault) -> [UInt8] {
        let bytes = try file.read(at: offset, count: longest)
        guard let end = bytes.firstIndex(of: 0x0A) else {
            throw .damaged("the line at byte \(offset) has no end")
        }
        return Array(bytes[..<end])
    }
}
