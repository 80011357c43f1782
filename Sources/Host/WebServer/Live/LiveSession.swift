import Clocks
import ExpectedFailures
import FoundationEssentials
import HTTPServer
import Listings
import LiveCapture
import ScanService
import Synchronization

/// A camera that is watched for a job, with all viewers.
final class LiveSession: Sendable {
    /// The control of the watch.
    let control = LiveControl()
    /// The client to which the live view belongs.
    let client: String

    private struct State {
        var listeners: [Int: HTTPStream] = [:]
        var viewers: [Int: HTTPStream] = [:]
        var next = 0
        /// The last event with the state, for later viewers.
        var latest: [UInt8] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// The maximum number of waiting bytes for a slow reader: of events, and of pictures.
    private static let limits = (events: 256 << 10, pictures: 8 << 20)

    init(of client: String, clock: any Clock<Duration> = ContinuousClock()) {
        (self.client, self.clock) = (client, clock)
    }

    // MARK: Events

    /// Sends an event to all viewers.
    func tell(_ event: LiveEvent) {
        guard let shown = WatchJSON(event)?.cleaned(PublicView.words),
            let line = reportedLater({ try shown.line })
        else { return }
        let bytes = Array("event: live\ndata: \(line)\n\n".utf8)
        let listeners = state.withLock { state in
            if case .seen = event { state.latest = bytes }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.write(bytes) }
    }

    /// A stream of further events, beginning with the current state (server-sent events).
    func listen() -> HTTPStream {
        let stream = HTTPStream(limit: Self.limits.events)
        let (number, latest, isOver) = state.withLock { state in
            defer { state.next += 1 }
            state.listeners[state.next] = stream
            return (state.next, state.latest, state.isOver)
        }
        stream.onClose { [self] in _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
        stream.write(Array(": Copystand\nretry: 2000\n\n".utf8) + latest)
        if isOver { stream.finish() }
        return stream
    }

    // MARK: Pictures

    /// The boundary between pictures of the live view.
    static let boundary = "copystand-frame"

    /// The live view, one picture after another (`multipart/x-mixed-replace`); a reader gets as
    /// many frames as it can read.
    func film() -> HTTPStream {
        let stream = HTTPStream(limit: Self.limits.pictures)
        let viewer = control.pictures.add(isReady: { stream.isDrained }) { picture in
            let head =
                "--\(Self.boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.bytes.count)\r\nX-Time: \(picture.time)\r\n\r\n"
            stream.write(Array(head.utf8) + picture.bytes + Array("\r\n".utf8))
        }
        let isOver = state.withLock { state in
            state.viewers[viewer] = stream
            return state.isOver
        }
        stream.onClose { [self] in
            control.pictures.remove(viewer)
            _ = state.withLock { $0.viewers.removeValue(forKey: viewer) }
        }
        if isOver { stream.finish() }
        return stream
    }

    /// The next picture.
    ///
    /// - Throws: ``Problem`` with status 503 when none arrives within five seconds.
    func picture() async throws -> LivePictures.Picture {
        let (pictures, sender) = AsyncStream.makeStream(
            of: LivePictures.Picture.self, bufferingPolicy: .bufferingNewest(1))
        let viewer = control.pictures.add(isReady: { true }) { sender.yield($0) }
        defer { control.pictures.remove(viewer) }
        let timeout = Task { [clock] in
            await clock.pause(for: .seconds(5))
            sender.finish()
        }
        defer { timeout.cancel() }
        for await picture in pictures { return picture }
        throw Problem(
            503, "no-picture",
            detail:
                "The camera has shown nothing for five seconds. Check that it is plugged in, then try again."
        )
    }

    /// Disconnects all viewers: the watch has ended.
    func end() {
        let streams = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values) + Array(state.viewers.values)
        }
        for stream in streams { stream.finish() }
    }
}
