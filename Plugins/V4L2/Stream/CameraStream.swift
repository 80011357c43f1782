import CV4L2
import CaptureKit
import Dispatch
import Glibc
import Synchronization

/// A streaming camera: takes each frame from the driver on a separate thread, and stores the
/// newest.
///
/// Frames stay in the driver's memory until they are returned, so that they are copied only once,
/// to their destination.
final class CameraStream: Sendable {
    /// The maximum time for which a camera may send no frame.
    struct Patience: Hashable, Sendable {
        /// The patience before the first frame, because lenses and lamps need time.
        var first = Duration.seconds(8)
        /// The patience between frames.
        var next = Duration.seconds(3)
    }

    let node: CameraNode
    let form: FrameForm
    private let patience: Patience
    private let state = Mutex(StreamState())
    private let ended = Mutex<(isOver: Bool, waiting: [CheckedContinuation<Void, Never>])>(
        (false, []))
    /// Closing one end wakes the thread at the other end.
    private let wake: (OwnedDescriptor, OwnedDescriptor)
    private let buffers: Mutex<BufferSet?> = Mutex(nil)
    /// Signaled once no one reads the buffers anymore.
    private let released = DispatchSemaphore(value: 0)
    /// Damaged frames that were not reported yet.
    private let damaged = Mutex(0)

    private init(_ node: CameraNode, _ form: FrameForm, _ patience: Patience) throws {
        self.node = node
        self.form = form
        self.patience = patience
        wake = try OwnedDescriptor.socketPair()
    }

    /// Sets the mode and starts streaming.
    ///
    /// - Throws: ``CaptureError``: `busy`, `offline`, `unsupported`, `inputOutput`.
    static func start(
        _ node: CameraNode, _ choice: ModeChoice, patience: Patience = Patience()
    ) async throws -> CameraStream {
        try await withCheckedThrowingContinuation { continuation in
            startThread("camera") {
                let stream: CameraStream
                do {
                    let form = try agree(node, choice)
                    stream = try CameraStream(node, form, patience)
                    try stream.begin()
                } catch {
                    return continuation.resume(throwing: error)
                }
                continuation.resume(returning: stream)
                stream.run()
            }
        }
    }

    /// The newest frame that was not fetched yet, or the next one.
    ///
    /// - Throws: ``CaptureError`` `offline`, `stalled`, `inputOutput`; `CancellationError`.
    func next() async throws -> FilledBuffer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let result = state.withLock({ $0.request(continuation) }) {
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            requestStop()
        }
    }

    /// The number of damaged frames since the last call.
    func takeDamaged() -> Int {
        damaged.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    /// The memory of a frame that was fetched and not returned.
    func memory(of frame: FilledBuffer) -> UnsafeMutableRawBufferPointer {
        let whole = buffers.withLock { buffers in
            nonisolated(unsafe) let memory = buffers?.memory[frame.index]
            return memory
        }
        guard let whole else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        return UnsafeMutableRawBufferPointer(rebasing: whole[frame.bytes])
    }

    /// Gives a frame's buffer back to the driver (`VIDIOC_QBUF`).
    func giveBack(_ frame: FilledBuffer) {
        state.withLock { $0.returned(frame) }
        // A failure becomes visible when the next frame is fetched.
        _ = retried { cv4l2_queue_buffer(node.file.raw, node.type, UInt32(frame.index)) }
    }

    /// Stops streaming and waits until the camera is free; to be called once, when every frame has
    /// been given back.
    func stop() async {
        requestStop()
        released.signal()
        await withCheckedContinuation { continuation in
            let isOver = ended.withLock { ended in
                if !ended.isOver { ended.waiting.append(continuation) }
                return ended.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func requestStop() {
        state.withLock { $0.stop() }?.resume(throwing: CancellationError())
        shutdown(wake.0.raw, Int32(SHUT_RDWR))
    }

    // MARK: On the thread

    /// Agrees with the driver on format, size and rate.
    private static func agree(_ node: CameraNode, _ choice: ModeChoice) throws -> FrameForm {
        var form = cv4l2_form()
        form.width = UInt32(choice.mode.size.width)
        form.height = UInt32(choice.mode.size.height)
        form.format = choice.mode.format.rawValue
        guard retried({ cv4l2_set_form(node.file.raw, node.type, &form) }) == 0 else {
            throw CameraFault.error(errno, node.name, "film in \(choice.mode.size)")
        }
        if let interval = choice.interval {
            var wanted = v4l2_fract()
            wanted.numerator = interval.numerator
            wanted.denominator = interval.denominator
            // A camera whose rate can't be set has a fixed one.
            _ = retried { cv4l2_set_interval(node.file.raw, node.type, &wanted) }
        }
        return try FrameForm(form, camera: node.name)
    }

    private func begin() throws {
        let set = try BufferSet(node)
        for index in set.memory.indices {
            let answer = retried {
                cv4l2_queue_buffer(node.file.raw, node.type, UInt32(index))
            }
            guard answer == 0 else { throw CameraFault.error(errno, node.name, "start filming") }
        }
        guard retried({ cv4l2_start(node.file.raw, node.type) }) == 0 else {
            throw CameraFault.error(errno, node.name, "start filming")
        }
        buffers.withLock { $0 = set }
    }

    private func run() {
        let error = loop()
        if let error { state.withLock { $0.failed(error) }?.resume(throwing: error) }
        _ = retried { cv4l2_stop(node.file.raw, node.type) }
        // A capture that was canceled, or has yet to see the failure, may still read a buffer.
        released.wait()
        buffers.withLock { $0 = nil }
        let waiting = ended.withLock { ended in
            ended.isOver = true
            defer { ended.waiting = [] }
            return ended.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Receives frames until the stream is stopped.
    ///
    /// Returns why it can't continue, or nil.
    private func loop() -> CaptureError? {
        var watch = StreamWatch(patience: patience, now: .now)
        while true {
            var files = [
                pollfd(fd: node.file.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.1.raw, events: Int16(POLLIN), revents: 0),
            ]
            let left = watch.left(.now)
            guard left > .zero else {
                return CameraFault.stalled(
                    node.name, after: watch.limit, damaged: watch.damaged)
            }
            let milliseconds = Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
            guard retried({ poll(&files, 2, milliseconds) }) >= 0 else {
                return CameraFault.error(errno, node.name, "be waited for")
            }
            if files[1].revents != 0 || state.withLock({ $0.isStopped }) { return nil }
            if files[0].revents == 0 { continue }
            switch dequeue(isEndKnown: watch.isEndKnown) {
            case .frame(let frame, let hasEnd):
                watch.good(.now, hasEnd: hasEnd)
                deliver(frame)
            case .damaged(let index):
                watch.damaged += 1
                damaged.withLock { $0 += 1 }
                if let index { requeue(index) } else { requeueLost() }
            case .nothing:
                if files[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
                    if isGone { return CameraFault.gone(node.name) }
                    // This error can't be fixed here; the capture ends when the patience is over.
                    // Until then the camera's file is always ready, so only the wake-up is waited
                    // for.
                    _ = retried { poll(&files[1], 1, 5) }
                }
            case .failure(let error): return error
            }
        }
    }

    /// The outcome of requesting a frame.
    private enum Taken {
        case frame(FilledBuffer, hasEnd: Bool)
        case damaged(Int?)
        case nothing
        case failure(CaptureError)
    }

    private func dequeue(isEndKnown: Bool) -> Taken {
        var buffer = cv4l2_buffer()
        guard retried({ cv4l2_dequeue_buffer(node.file.raw, node.type, &buffer) }) == 0 else {
            switch errno {
            case EAGAIN: return .nothing
            // A frame is lost, perhaps with its buffer; the camera continues.
            case EIO: return isGone ? .failure(CameraFault.gone(node.name)) : .damaged(nil)
            case let number: return .failure(CameraFault.error(number, node.name, "send a frame"))
            }
        }
        let index = Int(buffer.index)
        let memory: UnsafeMutableRawBufferPointer? = buffers.withLock { buffers in
            nonisolated(unsafe) let memory = buffers?.memory
            return memory.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        }
        guard let memory else {
            return .failure(
                CaptureError(
                    .inputOutput,
                    "The camera '\(node.name)' returned a buffer that it does not have"
                ))
        }
        let start = min(Int(buffer.skipped), memory.count)
        // The driver's length is checked against the mapped memory.
        let end = min(max(Int(buffer.used), start), memory.count)
        let bytes = UnsafeRawBufferPointer(rebasing: memory[start..<end])
        if buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 { return .damaged(index) }
        if form.fault(of: bytes, endIsKnown: isEndKnown) != nil { return .damaged(index) }
        let length = form.route.isCompressed ? JPEGEnds.length(of: bytes) : nil
        let isMonotonic =
            buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
            == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        return .frame(
            FilledBuffer(
                index: index, bytes: start..<(start + (length ?? bytes.count)),
                time: isMonotonic ? buffer.time : nil, sequence: buffer.sequence),
            hasEnd: length != nil)
    }

    private func deliver(_ frame: FilledBuffer) {
        switch state.withLock({ $0.arrived(frame) }) {
        case .deliver(let continuation, let frame): continuation.resume(returning: frame)
        case .recycle(let old): requeue(old.index)
        case .none: break
        }
    }

    private func requeue(_ index: Int) {
        _ = retried { cv4l2_queue_buffer(node.file.raw, node.type, UInt32(index)) }
    }

    /// Gives back a buffer that an error removed from the queue without naming it.
    private func requeueLost() {
        let count = buffers.withLock { $0?.memory.count ?? 0 }
        let kept = state.withLock { $0.kept }
        for index in 0..<count where !kept.contains(index) {
            var buffer = cv4l2_buffer()
            let answer = retried {
                cv4l2_query_buffer(node.file.raw, node.type, UInt32(index), &buffer)
            }
            let isDriver = UInt32(V4L2_BUF_FLAG_QUEUED) | UInt32(V4L2_BUF_FLAG_DONE)
            if answer == 0 && buffer.flags & isDriver == 0 { requeue(index) }
        }
    }

    private var isGone: Bool {
        var answer = v4l2_capability()
        return retried { cv4l2_query_capabilities(node.file.raw, &answer) } != 0
            && [ENODEV, ENXIO, ENOTCONN].contains(errno)
    }
}
