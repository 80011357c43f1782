import Synchronization

/// An open device and the order of its requests, which run one after the other, in parallel with a
/// capture.
final class DeviceLane: Sendable {
    let device: any CaptureDevice
    private let state = Mutex(State())

    private struct State {
        var tail: Task<Void, Never>?
        var capture: Task<Void, Never>?
        var isCapturing = false
    }

    init(_ device: any CaptureDevice) { self.device = device }

    /// Runs `work` after everything that was enqueued before.
    @discardableResult
    func enqueue(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            let previous = state.tail
            let task = Task {
                await previous?.value
                await work()
            }
            state.tail = task
            return task
        }
    }

    /// Captures after the requests before it; `then` runs when the device is free for the next
    /// capture.
    ///
    /// - Throws: ``CaptureError`` `busy` while another capture runs.
    func startCapture(
        _ work: @escaping @Sendable () async throws -> Void,
        then: @escaping @Sendable (Result<Void, any Error>) async -> Void
    ) throws(CaptureError) {
        let isFree = state.withLock { state in
            guard !state.isCapturing else { return false }
            state.isCapturing = true
            let previous = state.tail
            state.capture = Task {
                await previous?.value
                let result: Result<Void, any Error>
                do {
                    try Task.checkCancellation()
                    result = .success(try await work())
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { $0.isCapturing = false }
                await then(result)
            }
            return true
        }
        guard isFree else { throw CaptureError(.busy, "the device is already capturing") }
    }

    /// Asks a running capture to stop.
    func cancelCapture() {
        state.withLock { $0.isCapturing ? $0.capture : nil }?.cancel()
    }

    /// Waits until the last capture has ended and its request was answered.
    func captureEnd() async { await state.withLock { $0.capture }?.value }
}
