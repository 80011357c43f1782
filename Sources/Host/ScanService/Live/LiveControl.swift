public import Processing
import Synchronization

/// Controls a live capture from outside: stops it, captures a page now, or shows it to viewers.
public final class LiveControl: Sendable {
    /// Stops the capture; the pages so far are delivered.
    public let scan = ScanControl()
    /// The camera's pictures for viewers.
    public let pictures = LivePictures()
    private let requests = Mutex(0)
    private let drawn = Mutex<Profile.Region?>(nil)

    /// A control for one live capture.
    public init() {}

    /// Captures the next frame, whatever it shows.
    ///
    /// Several requests before the capture count as one.
    public func captureNow() { requests.withLock { $0 = 1 } }

    /// Changes the kept part of the frame for all further pages, in a watch that began with such a
    /// part.
    ///
    /// The present view of that part counts as empty, until someone puts a page there.
    public func draw(_ region: Profile.Region) { drawn.withLock { $0 = region } }

    /// The part that was drawn last; nil for a watch that searches for pages.
    var region: Profile.Region? { drawn.withLock(\.self) }

    /// True if a capture was requested since the last call.
    func takeRequest() -> Bool {
        requests.withLock { count in
            defer { count = 0 }
            return count > 0
        }
    }
}
