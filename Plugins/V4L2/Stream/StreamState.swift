import CaptureKit
import Synchronization

/// A filled buffer of the driver.
struct FilledBuffer: Sendable {
    var index: Int
    /// The range of the frame's bytes within the buffer.
    var bytes: Range<Int>
    /// The time of exposure, in seconds on the system's monotonic clock; nil if the driver uses
    /// another clock.
    var time: Double?
    /// The driver's count of frames, including lost ones.
    var sequence: UInt32
}

/// The state that the stream's thread and the capture share: the newest frame, the waiting task,
/// and the end.
///
/// It is a value type with simple steps, for tests without a camera; the stream keeps it behind its
/// lock.
struct StreamState {
    /// The result for a new frame, or for a wait.
    enum Step {
        /// Hand the frame to the waiting task.
        case deliver(CheckedContinuation<FilledBuffer, any Error>, FilledBuffer)
        /// Give the buffer back to the driver: a newer frame has arrived.
        case recycle(FilledBuffer)
        /// No action is needed.
        case none
    }

    private var newest: FilledBuffer?
    private var waiting: CheckedContinuation<FilledBuffer, any Error>?
    private var failure: CaptureError?
    private(set) var isStopped = false
    /// The buffers that the capture reads.
    private var held: Set<Int> = []

    /// The buffers that neither belong to the driver nor are lost.
    var kept: Set<Int> { held.union(newest.map { [$0.index] } ?? []) }

    /// A frame has arrived.
    mutating func arrived(_ frame: FilledBuffer) -> Step {
        if let waiting {
            self.waiting = nil
            held.insert(frame.index)
            return .deliver(waiting, frame)
        }
        defer { newest = frame }
        return newest.map { .recycle($0) } ?? .none
    }

    /// The next frame is requested: the newest that has already arrived, else the failure, else the
    /// next one to arrive.
    mutating func request(
        _ continuation: CheckedContinuation<FilledBuffer, any Error>
    ) -> Result<FilledBuffer, any Error>? {
        if isStopped { return .failure(CancellationError()) }
        if let frame = newest {
            newest = nil
            held.insert(frame.index)
            return .success(frame)
        }
        if let failure { return .failure(failure) }
        waiting = continuation
        return nil
    }

    /// A fetched frame was returned.
    mutating func returned(_ frame: FilledBuffer) { held.remove(frame.index) }

    /// The stream has failed; the waiting task must be notified.
    mutating func failed(_ error: CaptureError) -> CheckedContinuation<FilledBuffer, any Error>? {
        failure = failure ?? error
        defer { waiting = nil }
        return waiting
    }

    /// The capture wants no more frames; the waiting task must be notified.
    mutating func stop() -> CheckedContinuation<FilledBuffer, any Error>? {
        isStopped = true
        defer { waiting = nil }
        return waiting
    }
}
