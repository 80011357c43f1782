import Dispatch
import Synchronization

/// The host's buffer for a frame's pixels.
struct Grant: Sendable {
    let buffer: Wire.Buffer
    let descriptor: OwnedDescriptor?
}

/// The sink of a capture whose frames go over a connection.
final class WireSink: FrameSink {
    private let capture: Int
    private let request: CaptureRequest
    private let writer: WireWriter
    private let queue = DispatchQueue(label: "copystand.frame.writer")
    private let mappings = LiveMappings()
    private let state = Mutex(State())

    private struct State {
        /// The number of pages finished or skipped.
        var pages = 0
        var finished = 0
        var isOpen = false
        /// The number of documents that were passed.
        var sources = 0
        var waiting: CheckedContinuation<Grant, any Error>?
    }

    init(capture: Int, request: CaptureRequest, writer: WireWriter) {
        self.capture = capture
        self.request = request
        self.writer = writer
    }

    func begin(_ frame: FrameDescription) async throws -> any FrameWriter {
        try Task.checkCancellation()
        if let impossibility = frame.impossibility {
            throw CaptureError(.internalFault, "this frame is impossible: \(impossibility)")
        }
        if frame.format.isLiveOnly && request.mode != .live {
            throw CaptureError(
                .internalFault, "a page can't be \(frame.format), which is for live captures only")
        }
        let (number, isOpen, finished) = state.withLock { ($0.pages + 1, $0.isOpen, $0.finished) }
        guard !isOpen else {
            throw CaptureError(.internalFault, "page \(number) was started and not finished")
        }
        if let limit = request.limit, finished >= limit {
            throw CaptureError(.internalFault, "a frame was begun after the last of \(limit)")
        }
        let grant = try await grant(for: number, frame)
        state.withLock { $0.isOpen = true }
        return try WireFrameWriter(
            frame, Wire.FrameReference(capture: capture, frame: number), grant: grant,
            isLive: request.mode == .live, writer: writer, queue: queue, mappings: mappings,
            onFinish: { [self] in
                state.withLock { state in
                    state.isOpen = false
                    state.pages += 1
                    if grant.buffer.way != .drop { state.finished += 1 }
                }
            })
    }

    func source(
        mediaType: String, size: Int,
        read: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]
    ) async throws -> Int? {
        guard (1...FrameSource.mostBytes).contains(size) else { return nil }
        let number = state.withLock { state in
            state.sources += 1
            return state.sources
        }
        guard number <= FrameSource.mostDocuments else { return nil }
        let body = Wire.Source(capture: capture, source: number, mediaType: mediaType, size: size)
        var sent = 0
        while sent < size {
            try Task.checkCancellation()
            let piece = try await read(sent, min(1 << 20, size - sent))
            guard !piece.isEmpty, piece.count <= size - sent else {
                throw CaptureError(.damagedData, "the document became shorter while it was read")
            }
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: piece.count, alignment: 16)
            defer { copy.deallocate() }
            piece.withUnsafeBytes { copy.copyMemory(from: $0) }
            do {
                try await writer.send(
                    WireHeader(event: .source, bytes: copy.count), body,
                    bytes: UnsafeRawBufferPointer(copy))
            } catch {
                throw CaptureError(.inputOutput, error.message)
            }
            sent += piece.count
        }
        return number
    }

    func skip(label: String?, _ error: CaptureError) async throws {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.isOpen = false
            state.pages += 1
            return state.pages
        }
        try wireToCapture { () throws(WireError) in
            try writer.send(
                WireHeader(event: .skipped, error: error),
                Wire.Skipped(capture: capture, frame: number, label: label))
        }
    }

    func reading(_ place: ReadingPlace) async throws {
        try Task.checkCancellation()
        try wireToCapture { () throws(WireError) in
            try writer.send(
                WireHeader(event: .reading), Wire.Reading(capture: capture, place: place))
        }
        // Reading this place may crash the process, so the report must be sent first.
        await writer.drain()
    }

    /// Throws when a page was begun and left unfinished.
    func checkComplete() throws(CaptureError) {
        let (isOpen, pages) = state.withLock { ($0.isOpen, $0.pages) }
        guard !isOpen else {
            throw CaptureError(.internalFault, "page \(pages + 1) was started and not finished")
        }
    }

    /// Handles the host's answer to a frame; drops an answer that no one waits for, and closes its
    /// descriptor.
    func deliver(_ result: Result<Grant, CaptureError>, for frame: Int) {
        let waiting = state.withLock { state -> CheckedContinuation<Grant, any Error>? in
            guard frame == state.pages + 1 else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        switch result {
        case .success(let grant): waiting?.resume(returning: grant)
        case .failure(let error):
            waiting?.resume(throwing: error.code == .cancelled ? CancellationError() : error)
        }
    }

    private func grant(for number: Int, _ frame: FrameDescription) async throws -> Grant {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.waiting = continuation }
                do throws(WireError) {
                    try writer.send(
                        WireHeader(event: .frame),
                        Wire.Frame(capture: capture, frame: number, frame))
                } catch {
                    abandon(CaptureError(.inputOutput, error.message))
                }
                // The task was canceled before `waiting` was set, so the handler found no one to
                // wake.
                if Task.isCancelled { abandon(CancellationError()) }
            }
        } onCancel: {
            abandon(CancellationError())
        }
    }

    private func abandon(_ error: any Error) {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }?.resume(throwing: error)
    }
}

/// Runs `body`, and turns a failure of the connection into an error that a backend knows.
func wireToCapture<Result>(
    _ body: () throws(WireError) -> Result
) throws(CaptureError) -> Result {
    do throws(WireError) {
        return try body()
    } catch {
        throw CaptureError(.inputOutput, error.message)
    }
}
