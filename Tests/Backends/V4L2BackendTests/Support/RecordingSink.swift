import CaptureKit
import Synchronization

/// A sink that stores what it receives; a test may examine each frame when it arrives.
final class RecordingSink: FrameSink {
    struct Frame: Sendable {
        var description: FrameDescription
        var bytes: [UInt8]
        var original: EncodedOriginal?
    }

    private let state = Mutex<(frames: [Frame], skipped: [CaptureError])>(([], []))
    private let onFrame: @Sendable (Int) throws -> Void
    private let wants: @Sendable (Int) -> Bool

    /// - Parameters:
    ///   - wants: Returns true if there is room for another frame after this many.
    ///   - onFrame: Called after each frame with the number of frames so far.
    init(
        wants: @escaping @Sendable (Int) -> Bool = { _ in true },
        onFrame: @escaping @Sendable (Int) throws -> Void = { _ in }
    ) {
        self.wants = wants
        self.onFrame = onFrame
    }

    var frames: [Frame] { state.withLock { $0.frames } }
    var skipped: [CaptureError] { state.withLock { $0.skipped } }

    func begin(_ frame: FrameDescription) async throws -> any FrameWriter {
        if let fault = frame.impossibility { throw CaptureError(.internalFault, fault) }
        return Writer(frame, self, isWanted: wants(frames.count))
    }

    func skip(label: String?, _ error: CaptureError) async throws {
        state.withLock { $0.skipped.append(error) }
    }

    private func keep(_ frame: Frame) throws {
        let count = state.withLock { state in
            state.frames.append(frame)
            return state.frames.count
        }
        try onFrame(count)
    }

    private final class Writer: FrameWriter {
        let isWanted: Bool
        private let description: FrameDescription
        private let sink: RecordingSink
        private let bytes = Mutex<[UInt8]>([])

        init(_ description: FrameDescription, _ sink: RecordingSink, isWanted: Bool) {
            self.description = description
            self.sink = sink
            self.isWanted = isWanted
        }

        func write(_ new: UnsafeRawBufferPointer) async throws {
            let copy = Array(new)
            bytes.withLock { $0 += copy }
        }

        func finish(original: EncodedOriginal?) async throws {
            guard isWanted else { return }
            let bytes = bytes.withLock { $0 }
            let rows = description.height ?? 0
            guard bytes.count >= description.leastBytes(rows: rows),
                bytes.count <= description.byteCount(rows: rows)
            else { throw CaptureError(.damagedData, "\(bytes.count) bytes of \(description)") }
            try sink.keep(Frame(description: description, bytes: bytes, original: original))
        }
    }
}
