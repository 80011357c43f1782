import HTTPClient
import Synchronization

/// Receives a stream of events from libcurl.
final class EventStream: HTTPReceiver {
    private var reader = ServerEventReader()
    private let onBegin: () -> Bool
    private let onEvent: (ServerEvent) -> Bool
    private let isWanted: () -> Bool
    /// Replaces our token in the host's texts.
    fileprivate(set) var secrets = SecretRedactor.none
    /// True once an event was too long.
    var isTooLong: Bool { reader.isTooLong }
    /// True when the answer was not a stream of events.
    private(set) var isNoStream = false

    /// - Parameters:
    ///   - onBegin: called when the stream begins; returns false to stop.
    ///   - onEvent: gets each event; returns false to stop.
    ///   - isWanted: called about once a second while nothing arrives; returns false to stop.
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
            // An event that exceeds the bounds of JSON is emptied, so that the listener refuses it.
            if !JSONBounds.areKept(by: event.data) { event.data = [] }
            return onEvent(event)
        }
    }

    var isOver: Bool { !isWanted() }
}

extension HostConnection {
    /// Listens until the stream ends or a callback stops it.
    ///
    /// - Parameter last: the number of the last known event; the host then sends all later ones.
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
