import Delivery
import Synchronization

/// Listens to a stream of events, as libcurl hands them over.
final class EventStream: HTTPReceiver {
    private var reader = ServerEventReader()
    private let onBegin: () -> Bool
    private let onEvent: (ServerEvent) -> Bool
    private let isWanted: () -> Bool
    /// Replaces our token in what the host sends.
    fileprivate(set) var secrets = SecretRedactor.none
    /// True once an event was too long.
    var isTooLong: Bool { reader.isTooLong }
    /// True when the answer was not a stream of events.
    private(set) var isNoStream = false

    /// - Parameters:
    ///   - onBegin: learns that the host listens from now on; false leaves.
    ///   - onEvent: gets each event; false stops.
    ///   - isWanted: asked about once a second while nothing comes.
    init(
        onBegin: @escaping () -> Bool = { true }, onEvent: @escaping (ServerEvent) -> Bool,
        isWanted: @escaping () -> Bool = { true }
    ) {
        self.onBegin = onBegin
        self.onEvent = onEvent
        self.isWanted = isWanted
    }

    func begin(_ headers: [String: String]) -> Bool {
        guard headers["content-type"]?.hasPrefix("text/event-stream") == true else {
            isNoStream = true
            return false
        }
        return onBegin()
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        reader.take(bytes) { event in
            var event = event
            event.data = secrets.redacted(event.data)
            // What no JSON may hold is left for the listener to refuse.
            if !JSONBounds.areKept(by: event.data) { event.data = [] }
            return onEvent(event)
        }
    }

    var isOver: Bool { !isWanted() }
}

extension HostConnection {
    /// Listens until the stream ends, or a listener leaves.
    ///
    /// - Parameter last: the number of the last event that is known; the host says what came since
    ///   then.
    /// - Throws: ``HostFailure``.
    func listen(
        _ path: String, since last: String? = nil, to stream: EventStream
    ) throws(HostFailure) {
        stream.secrets = secrets
        try self.stream(
            path, headers: last.map { [("Last-Event-ID", $0)] } ?? [], to: stream)
        if stream.isNoStream {
            throw notCopystand(path, "with something other than a stream of events")
        }
        if stream.isTooLong { throw notCopystand(path, "with an event that never ends") }
    }
}
