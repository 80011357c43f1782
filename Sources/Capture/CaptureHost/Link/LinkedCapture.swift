import CaptureKit

/// A running capture, to which a link passes the backend's events on.
protocol LinkedCapture: AnyObject, Sendable {
    /// The number of the request that began it.
    var id: Int { get }

    /// Handles an event of the capture.
    func handle(_ line: WireLine, _ reader: WireReader) throws -> CaptureEffect

    /// Handles the place in a file that the backend reads now.
    func read(_ place: ReadingPlace) throws -> CaptureEffect

    /// Handles the backend's answer, or the link's failure.
    func end(_ result: Result<Void, HostError>)
}

/// The effect of an event on the deadline: progress or none.
enum CaptureEffect {
    case advance, idle
}
