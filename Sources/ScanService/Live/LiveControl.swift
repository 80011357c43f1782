import Synchronization

/// The way to a live capture from outside: stop it, capture now, or look on.
public final class LiveControl: Sendable {
    /// Stops the capture; the pages so far are processed and delivered.
    public let scan = ScanControl()
    /// What the camera shows, for those who look on.
    public let pictures = LivePictures()
    private let requests = Mutex(0)

    /// A control for one live capture.
    public init() {}

    /// Captures the next frame, whatever it shows.
    ///
    /// Requests that come before it has been captured count as one.
    public func captureNow() { requests.withLock { $0 = 1 } }

    /// Whether a capture was asked for since this was last called.
    func takeRequest() -> Bool {
        requests.withLock { count in
            defer { count = 0 }
            return count > 0
        }
    }
}
