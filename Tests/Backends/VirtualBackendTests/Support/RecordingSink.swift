import CaptureKit
import Synchronization

@testable import VirtualBackend

/// A host side that stores what it receives and refuses what the contract forbids.
final class RecordingSink: FrameSink {
    /// The maximum number of pixels of an accepted frame.
    static let mostPixels = 500_000_000

    private struct State {
        var frames: [RecordedFrame] = []
        var skipped: [(label: String?, error: CaptureError)] = []
        var begun: [FrameDescription] = []
        var writes: [Int] = []
    }

    private let state = Mutex(State())
    private let onBegin: @Sendable () -> Void
    private let onWrite: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - onBegin: Runs when a frame is announced.
    ///   - onWrite: Runs before bytes are accepted, with the number of writes so far.
    init(
        onBegin: @escaping @Sendable () -> Void = {},
        onWrite: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.onBegin = onBegin
        self.onWrite = onWrite
    }

    var frames: [RecordedFrame] { state.withLock { $0.frames } }
    var labels: [String?] { frames.map(\.description.label) }
    var begun: [FrameDescription] { state.withLock { $0.begun } }
    var skipped: [(label: String?, error: CaptureError)] { state.withLock { $0.skipped } }
    /// The number of bytes of each write, in order.
    var writes: [Int] { state.withLock { $0.writes } }

    func begin(_ frame: FrameDescription) async throws -> any FrameWriter {
        onBegin()
        state.withLock { $0.begun.append(frame) }
        guard frame.width * (frame.height ?? 1) <= RecordingSink.mostPixels else {
            throw CaptureError(
                .tooLarge, "\(frame.width) × \(frame.height ?? 0) pixels are too many")
        }
        return Writer(frame, self)
    }

    func skip(label: String?, _ error: CaptureError) async throws {
        state.withLock { $0.skipped.append((label, error)) }
    }

    private func took(_ count: Int) {
        let number = state.withLock {
            $0.writes.append(count)
            return $0.writes.count
        }
        onWrite(number)
    }

    private func keep(_ frame: RecordedFrame) { state.withLock { $0.frames.append(frame) } }

    private final class Writer: FrameWriter {
        private let description: FrameDescription
        private let sink: RecordingSink
        private let bytes = Mutex<[UInt8]>([])

        init(_ description: FrameDescription, _ sink: RecordingSink) {
            self.description = description
            self.sink = sink
        }

        func write(_ new: UnsafeRawBufferPointer) async throws {
            sink.took(new.count)
            let copy = Array(new)
            let count = bytes.withLock {
                $0 += copy
                return $0.count
            }
            guard count <= description.height.map(description.byteCount) ?? .max else {
                throw CaptureError(.internalFault, "more bytes than were announced")
            }
        }

        func finish(original: EncodedOriginal?) async throws {
            let bytes = bytes.withLock { $0 }
            if let height = description.height, description.format != .jpeg,
                bytes.count != description.byteCount(rows: height)
            {
                throw CaptureError(.damagedData, "the page is torn")
            }
            sink.keep(RecordedFrame(description: description, bytes: bytes))
        }
    }
}

/// A completely received frame.
struct RecordedFrame: Sendable {
    var description: FrameDescription
    var bytes: [UInt8]

    var height: Int { bytes.count / description.stride }

    /// The stored samples of the pixel at `x`, `y`: one or three numbers; bilevel gives 1 for
    /// black.
    ///
    /// A JPEG picture has no rows of samples.
    func samples(_ x: Int, _ y: Int) -> [Int] {
        let row = y * description.stride
        switch description.format {
        case .bilevel: return [Int(bytes[row + x / 8] >> UInt8(7 - x % 8) & 1)]
        case .gray8: return [Int(bytes[row + x])]
        case .rgb8: return (0..<3).map { Int(bytes[row + 3 * x + $0]) }
        case .gray16: return [word(row + 2 * x)]
        case .rgb16: return (0..<3).map { word(row + 6 * x + 2 * $0) }
        case .yuyv: return [row + 2 * x, row + x / 2 * 4 + 1, row + x / 2 * 4 + 3].map(byte)
        case .uyvy: return [row + 2 * x + 1, row + x / 2 * 4, row + x / 2 * 4 + 2].map(byte)
        case .nv12:
            let colors = (description.chromaOffset ?? 0) + y / 2 * description.stride + x / 2 * 2
            return [row + x, colors, colors + 1].map(byte)
        case .jpeg: return []
        }
    }

    /// The samples at a place in millimeters, at the frame's own resolution.
    func at(_ xMillimeters: Double, _ yMillimeters: Double) -> [Int] {
        let scale = (description.resolution?.x ?? 0) / 25.4
        return samples(Int(xMillimeters * scale), Int(yMillimeters * scale))
    }

    private func byte(_ index: Int) -> Int { Int(bytes[index]) }

    private func word(_ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
}
