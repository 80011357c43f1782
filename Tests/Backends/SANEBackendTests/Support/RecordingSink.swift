import CaptureKit
import Synchronization

/// A host side that stores what it receives.
final class RecordingSink: FrameSink {
    struct Frame: Sendable {
        var description: FrameDescription
        var bytes: [UInt8]
    }

    private let kept = Mutex<[Frame]>([])
    private let onBegin: @Sendable () -> Void
    private let most: Int

    /// - Parameters:
    ///   - most: The maximum number of pixels of an accepted frame.
    ///   - onBegin: runs when a frame is announced.
    init(most: Int = .max, onBegin: @escaping @Sendable () -> Void = {}) {
        self.most = most
        self.onBegin = onBegin
    }

    var frames: [Frame] { kept.withLock { $0 } }

    func begin(_ frame: FrameDescription) async throws -> any FrameWriter {
        onBegin()
        guard frame.width * (frame.height ?? 1) <= most else {
            throw CaptureError(.tooLarge, "\(frame.width) pixels a row are too many")
        }
        return Writer(frame, self)
    }

    func skip(label: String?, _ error: CaptureError) async throws {}

    private final class Writer: FrameWriter {
        private let description: FrameDescription
        private let sink: RecordingSink
        private let bytes = Mutex<[UInt8]>([])

        init(_ description: FrameDescription, _ sink: RecordingSink) {
            self.description = description
            self.sink = sink
        }

        func write(_ new: UnsafeRawBufferPointer) async throws {
            try Task.checkCancellation()
            let copy = Array(new)
            bytes.withLock { $0 += copy }
        }

        func finish(original: EncodedOriginal?) async throws {
            try Task.checkCancellation()
            let frame = Frame(description: description, bytes: bytes.withLock { $0 })
            if let height = description.height, frame.bytes.count != height * description.stride {
                throw CaptureError(.damagedData, "the page is torn")
            }
            sink.kept.withLock { $0.append(frame) }
        }
    }
}
