public import Processing
import Synchronization

/// The way to a live capture from outside: stop it, capture now, or look on.
public final class LiveControl: Sendable {
    /// Stops the capture; the pages so far are processed and delivered.
    public let scan = ScanControl()
    /// What the camera shows, for those who look on.
    public let pictures = LivePictures()
    private let requests = Mutex(0)
    private let drawn = Mutex<Profile.Region?>(nil)

    /// A control for one live capture.
    public init() {}

    /// Captures the next frame, whatever it shows.
    ///
    /// Requests that come before it has been captured count as one.
    public func captureNow() { requests.withLock { $0 = 1 } }

    /// Draws the part of the frame that is kept of every page from now on, of a watch that began
    /// with one.
    ///
    /// What lies there at that moment counts as empty, until something is put on it.
    public func draw(_ region: Profile.Region) { drawn.withLock { $0 = region } }

    /// The part that was drawn last; nil for a watch that searches.
    var region: Profile.Region? { drawn.withLock(\.self) }

    /// Whether a capture was asked for since this was last called.
    func takeRequest() -> Bool {
        requests.withLock { count in
            defer { count = 0 }
            return count > 0
        }
    }
}
