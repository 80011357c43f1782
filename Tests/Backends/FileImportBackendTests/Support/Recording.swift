import CaptureKit
import FileImportBackend
import Synchronization

/// The pages, frames and events of a capture, in order.
struct Recording: Sendable {
    /// A finished frame.
    struct Page: Sendable, Equatable {
        var description: FrameDescription
        var bytes: [UInt8]
        var original: EncodedOriginal?
        var text: FrameText?
    }

    enum Event: Sendable {
        case page(Page)
        case skip(label: String?, CaptureError)
    }

    var events: [Event] = []
    /// Frames that were begun but not finished.
    var unfinished = 0

    var pages: [Page] { events.compactMap { if case .page(let page) = $0 { page } else { nil } } }
    var skips: [CaptureError] {
        events.compactMap { if case .skip(_, let error) = $0 { error } else { nil } }
    }
    var labels: [String?] {
        events.map {
            switch $0 {
            case .page(let page): page.description.label
            case .skip(let label, _): label
            }
        }
    }
}

/// A sink that keeps everything, and refuses what the protocol forbids.
final class RecordingSink: FrameSink {
    private let state = Mutex(Recording())
    private let onPage: @Sendable (Int) -> Void
    private let refusal: @Sendable (FrameDescription) -> CaptureError?

    init(
        refusing refusal: @escaping @Sendable (FrameDescription) -> CaptureError? = { _ in nil },
        onPage: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.refusal = refusal
        self.onPage = onPage
    }

    var recording: Recording { state.withLock { $0 } }

    func begin(_ frame: FrameDescription) async throws -> any FrameWriter {
        if let error = refusal(frame) { throw error }
        state.withLock { $0.unfinished += 1 }
        return Writer(sink: self, frame: frame)
    }

    func skip(label: String?, _ error: CaptureError) async throws {
        state.withLock { $0.events.append(.skip(label: label, error)) }
    }

    private func finish(_ page: Recording.Page) {
        let count = state.withLock { state in
            state.unfinished -= 1
            state.events.append(.page(page))
            return state.pages.count
        }
        onPage(count)
    }

    private final class Writer: FrameWriter {
        let sink: RecordingSink
        let frame: FrameDescription
        let bytes = Mutex<[UInt8]>([])
        let ownText = Mutex<FrameText?>(nil)

        init(sink: RecordingSink, frame: FrameDescription) {
            self.sink = sink
            self.frame = frame
        }

        func write(_ more: UnsafeRawBufferPointer) async throws {
            bytes.withLock { $0.append(contentsOf: more) }
        }

        func text(_ text: FrameText) async throws { ownText.withLock { $0 = text } }

        func finish(original: EncodedOriginal?) async throws {
            let all = bytes.withLock { $0 }
            let isWhole =
                frame.format == .jpeg
                ? (1...(frame.capacity ?? 0)).contains(all.count)
                : all.count == frame.byteCount(rows: frame.height ?? 0)
            guard isWhole else {
                throw CaptureError(.internalFault, "\(all.count) bytes for \(frame)")
            }
            sink.finish(
                Recording.Page(
                    description: frame, bytes: all, original: original,
                    text: ownText.withLock { $0 }))
        }
    }
}

/// Captures every page of `path`, or every frame if it is live, in this process.
func record(
    _ path: String, _ options: [String: OptionValue] = [:], mode: CaptureRequest.Mode = .pages,
    limit: Int? = nil, limits: ImportLimits = ImportLimits(), sink: RecordingSink = RecordingSink()
) async throws -> Recording {
    let device = try await FileImportBackend(limits: limits).open(path)
    for (name, value) in options { _ = try await device.set(name, to: value) }
    do {
        try await device.capture(CaptureRequest(mode: mode, limit: limit), into: sink)
    } catch {
        await device.close()
        throw error
    }
    await device.close()
    return sink.recording
}

/// Captures `path`, which must fail, and returns the error.
func failure(
    _ path: String, _ options: [String: OptionValue] = [:], mode: CaptureRequest.Mode = .pages,
    limits: ImportLimits = ImportLimits(), sink: RecordingSink = RecordingSink()
) async throws -> CaptureError {
    do {
        let recording = try await record(path, options, mode: mode, limits: limits, sink: sink)
        throw Unexpected("captured \(recording.pages.count) pages of \(path) instead of failing")
    } catch let error as CaptureError {
        return error
    }
}

/// A result that a test did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
