public import Processing
import Synchronization

/// Controls a live capture from outside: stop it, capture now, or view it.
public final class LiveControl: Sendable {
    /// Stops the capture; the pages so far are processed and delivered.
    public let scan = ScanControl()
    /// What the camera shows, for viewers.
    public let pictures = LivePictures()
    private let requests = Mutex(0)
    private let drawn = Mutex<Profile.Region?>(nil)

    /// A control for one live capture.
    public init() {}

    /// Captures the next frame, whatever it shows.
    ///
    /// Requests that arrive before the capture count as one.
    public func captureNow() { requests.withLock { $0 = 1 } }

    /// Changes the part of the frame that is kept of every page from now on, in a watch that began
    /// with such a part.
    ///
    /// What is visible at that moment counts as empty, until something is put on it.
    public func draw(_ region: Profile.Region) { drawn.withLock { $0 = region } }

    /// The part that was drawn last; nil for a watch that searches.
    var region: Profile.Region? { drawn.withLock(\.self) }

    /// Whether a capture was requested since the last call.
    func takeRequest() -> Bool {
        requests.withLock { count in
            defer { count = 0 }
            return count > 0
        }
    }
}
