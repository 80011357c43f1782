package import Processing
import Synchronization

/// Requests to a watch that runs: to capture a page now, to keep another part of the frame, or to
/// show the camera's pictures.
package final class LiveRequests: Sendable {
    /// The camera's pictures for viewers.
    package let pictures = LivePictures()
    private let requests = Mutex(0)
    private let drawn = Mutex<Profile.Region?>(nil)

    /// No requests.
    package init() {}

    /// Captures the next frame, whatever it shows.
    ///
    /// Several requests before the capture count as one.
    package func captureNow() { requests.withLock { $0 = 1 } }

    /// Changes the kept part of the frame for all further pages, in a watch that began with such a
    /// part.
    package func draw(_ region: Profile.Region) { drawn.withLock { $0 = region } }

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
