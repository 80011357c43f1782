public import LiveCapture
public import Processing

/// Controls a live capture from outside: stops it, captures a page now, or shows it to viewers.
public final class LiveControl: Sendable {
    /// Stops the capture; the pages so far are delivered.
    public let scan = ScanControl()
    /// The camera's pictures for viewers.
    public var pictures: LivePictures { requests.pictures }
    /// The requests to the camera's watch.
    let requests = LiveRequests()

    /// A control for one live capture.
    public init() {}

    /// Captures the next frame, whatever it shows.
    ///
    /// Several requests before the capture count as one.
    public func captureNow() { requests.captureNow() }

    /// Changes the kept part of the frame for all further pages, in a watch that began with such a
    /// part.
    ///
    /// The present view of that part counts as empty, until someone puts a page there.
    public func draw(_ region: Profile.Region) { requests.draw(region) }
}
