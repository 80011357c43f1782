import Synchronization

/// The treatment of a live frame while every buffer is in use.
public enum WhenFull: Sendable {
    /// The frame is dropped, since only the newest matters: right for a camera.
    case drop
    /// The device waits for a buffer, and no frame is lost: right for a recording, which can wait.
    case wait
}

/// The number of frames that a capture has brought.
public struct CaptureStatistics: Hashable, Sendable {
    /// Frames, or pages, that arrived completely.
    public var finished = 0
    /// Live frames for which no buffer was free; frames that the device itself lost do not count.
    public var dropped = 0
    /// Pages that the device could not capture.
    public var skipped = 0

    /// The statistics before the first frame.
    public init() {}
}

extension CaptureSession {
    /// The statistics so far.
    var statistics: CaptureStatistics {
        state.withLock { state in
            var statistics = CaptureStatistics()
            statistics.finished = state.finished
            statistics.dropped = state.dropped
            statistics.skipped = state.skipped
            return statistics
        }
    }
}
