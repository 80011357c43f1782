/// Motion JPEG without a container: pictures one after another; bytes between them are skipped.
final class MJPEGSource: RecordingSource {
    /// The maximum size of a frame in bytes.
    static func mostBytes(_ limits: ImportLimits) -> Int { min(64 << 20, limits.maximumFileBytes) }

    /// The maximum number of bytes that are passed over in search of a picture.
    private static let mostBetween = 16 << 20

    private let file: OpenFile
    private let clock: FrameClock
    private let limits: ImportLimits
    private let mostBytes: Int
    private var offset = 0
    private var index = 0
    /// The bytes to read at once: slightly more than the last frame had.
    private var reach = 256 << 10

    init(_ file: OpenFile, name: String, settings: ImportSettings, limits: ImportLimits) {
        self.file = file
        self.limits = limits
        mostBytes = Self.mostBytes(limits)
        clock = FrameClock(name: name, asked: settings.rate, own: nil)
    }

    var frameCount: Int? { nil }

    func next(_ cancel: CancelFlag) throws(DecodeFault) -> RecordedStep? {
        guard try findStart(cancel) else { return nil }
        while true {
            try cancel.check()
            let window = try file.buffer(at: offset, count: reach)
            let look = try window.withBytes { bytes throws(DecodeFault) -> Look in
                try step(bytes)
            }
            switch look {
            case .read(let step): return step
            case .tooShort:
                guard reach < mostBytes else {
                    throw .damaged(
                        "the frame at byte \(offset) has no end within \(mostBytes) bytes")
                }
                reach = min(2 * reach, mostBytes)
            }
        }
    }

    private enum Look {
        case read(RecordedStep)
        /// The frame continues after the examined bytes.
        case tooShort
    }

    /// Reads the frame that begins with `bytes`.
    private func step(_ bytes: UnsafeRawBufferPointer) throws(DecodeFault) -> Look {
        let markers = JPEGMarkers(bytes)
        if let next = markers.nextStart, next < markers.end ?? .max {
            offset += next
            let fault = DecodeFault.damaged("the frame ends where the next one begins")
            return .read(.damaged(label: named(), fault))
        }
        guard let end = markers.end else {
            guard offset + bytes.count == file.size else { return .tooShort }
            offset = file.size
            return .read(.damaged(label: named(), .brokenOff))
        }
        let time = clock.time(index)
        offset += end
        reach = min(max(64 << 10, end + end / 4), mostBytes)
        let label = named()
        do throws(DecodeFault) {
            return .read(
                .frame(try jpegFrame(bytes, markers, label: label, time: time, limits: limits)))
        } catch {
            return .read(.damaged(label: label, error))
        }
    }

    /// Moves to where the next picture begins; false when none does.
    private func findStart(_ cancel: CancelFlag) throws(DecodeFault) -> Bool {
        let from = offset
        while offset < file.size {
            try cancel.check()
            let bytes = try file.read(at: offset, count: 4 << 10)
            for at in 0..<max(0, bytes.count - 2)
            where bytes[at] == 0xFF && bytes[at + 1] == 0xD8 && bytes[at + 2] == 0xFF {
                offset += at
                return true
            }
            if offset + bytes.count >= file.size { return false }
            // The start marker may go beyond the bytes that were read.
            offset += bytes.count - 2
            guard offset - from <= Self.mostBetween else {
                throw .damaged(
                    "no picture begins within \(Self.mostBetween >> 20) MiB after byte \(from)")
            }
        }
        return false
    }

    /// The name of the frame, which is counted.
    private func named() -> String {
        defer { index += 1 }
        return clock.label(index)
    }
}
