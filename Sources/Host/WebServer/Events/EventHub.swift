import Documents
import ExpectedFailures
import FileNames
import FoundationEssentials
import HTTPServer
import Synchronization

/// Sends the host's events to all listeners (server-sent events, WHATWG HTML 9.2).
///
/// The hub stores the last events, so that a listener continues where it was disconnected
/// (`Last-Event-ID`). A listener that was away for longer, or since before the host started, gets
/// `reset` first, and must request everything again.
///
/// Events are numbered for each listener: only visible ones count, so that no number shows how much
/// others do.
public final class EventHub: Sendable {
    private struct State {
        var kept: [Event] = []
        var bytes = 0
        /// The events that are no longer stored.
        var dropped = Counts()
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    private struct Event {
        /// Its lines after its number.
        var bytes: [UInt8]
        var audience: Audience
    }

    /// Numbers of events, by who sees them.
    private struct Counts {
        var all = 0
        var everyones = 0
        var owned: [String: Int] = [:]
        var clients: [String: Int] = [:]

        mutating func add(_ audience: Audience) {
            switch audience {
            case .everyone: everyones += 1
            case .owners(let names): for name in names { owned[name, default: 0] += 1 }
            case .client(let client):
                clients[client, default: 0] += 1
                return
            }
            all += 1
        }

        /// The number of events that a reader may see.
        func seen(by reader: Reader) -> Int {
            let user = reader.user
            let shared =
                user.sees == .all ? all : everyones + (user.name.flatMap { owned[$0] } ?? 0)
            return shared + (clients[reader.client] ?? 0)
        }
    }

    /// A reader of events.
    private struct Reader {
        var user: ArchiveUser
        /// As `Call.client`; empty for nobody's.
        var client: String
    }

    private struct Listener {
        var stream: HTTPStream
        var reader: Reader
        /// The number of its last event.
        var last: Int
    }

    /// The viewers of an event, besides those who see all documents.
    enum Audience {
        case everyone
        case owners(Set<String>)
        /// Only this client, whatever others see.
        case client(String)

        /// The owners of the reported items; nil stands for everyone.
        init(_ owners: some Sequence<String?>) {
            let names = Array(owners)
            self = names.contains(nil) ? .everyone : .owners(Set(names.compactMap { $0 }))
        }

        /// True for a user, as one client or without any.
        func contains(_ user: ArchiveUser, client: String = "") -> Bool {
            switch self {
            case .everyone: true
            case .owners(let names): user.sees == .all || user.name.map(names.contains) == true
            case .client(let only): client == only
            }
        }
    }

    private let state = Mutex(State())
    private let run: String
    private let capacity: Int
    private let limit: Int

    /// A hub.
    ///
    /// - Parameters:
    ///   - run: the name of this run of the host in the events' numbers.
    ///   - capacity: the maximum number of stored events.
    ///   - bytes: the maximum size of stored events in bytes; each event of a job with a thousand
    ///     pages has a hundred kilobytes.
    public init(run: String, capacity: Int = 4096, bytes: Int = 16 << 20) {
        self.run = run
        self.capacity = capacity
        limit = bytes
    }

    /// Sends an event.
    ///
    /// - Parameters:
    ///   - name: such as `job`; letters, digits, hyphens and dots.
    ///   - data: JSON on one line.
    ///   - owner: the user whom the event is for; nil for everyone.
    func publish(_ name: String, _ data: String, of owner: String? = nil) {
        publish(name, data, to: Audience([owner]))
    }

    /// Sends an event with a value as JSON, to the user whom it is for, or to everyone.
    func publish(_ name: String, json value: some Encodable, of owner: String? = nil) {
        publish(name, json: value, to: Audience([owner]))
    }

    /// Sends an event with a value as JSON.
    ///
    /// A value that JSON can't have is reported by the route that answers with it.
    func publish(_ name: String, json value: some Encodable, to audience: Audience) {
        guard let data = reportedLater({ try JSONEncoder().encode(value) }) else { return }
        publish(name, SafeJSON.text(data), to: audience)
    }

    /// Sends an event.
    ///
    /// - Parameter audience: its viewers, besides those who see all documents.
    func publish(_ name: String, _ data: String, to audience: Audience) {
        state.withLock { state in
            let bytes = Array("event: \(name)\ndata: \(data)\n\n".utf8)
            state.kept.append(Event(bytes: bytes, audience: audience))
            state.bytes += bytes.count
            var excess = max(0, state.kept.count - capacity)
            var dropped = state.kept.prefix(excess).reduce(0) { $0 + $1.bytes.count }
            while state.bytes - dropped > limit, excess < state.kept.count - 1 {
                dropped += state.kept[excess].bytes.count
                excess += 1
            }
            if excess > 0 {
                for event in state.kept.prefix(excess) { state.dropped.add(event.audience) }
                state.kept.removeFirst(excess)
                state.bytes -= dropped
            }
            for (key, listener) in state.listeners
            where audience.contains(listener.reader.user, client: listener.reader.client) {
                let number = listener.last + 1
                state.listeners[key]?.last = number
                listener.stream.write(id(number, for: listener.reader) + bytes)
            }
        }
    }

    /// A stream of the events that a user may see after the one with that number, and of all
    /// further ones.
    ///
    /// - Parameter client: the client that listens, as `Call.client`.
    func listen(since last: String?, as user: ArchiveUser, client: String = "") -> HTTPStream {
        let stream = HTTPStream(limit: 4 << 20)
        let reader = Reader(user: user, client: client)
        let number = state.withLock { state -> Int in
            stream.write(Array(": Copystand\nretry: 2000\n\n".utf8))
            let visible = state.kept.filter { $0.audience.contains(user, client: client) }
            let before = state.dropped.seen(by: reader)
            let newest = before + visible.count
            if let last {
                if let seen = counted(last, for: reader), seen >= before, seen <= newest {
                    for (index, event) in visible.enumerated().dropFirst(seen - before) {
                        stream.write(id(before + index + 1, for: reader) + event.bytes)
                    }
                } else {
                    stream.write(id(newest, for: reader) + Array("event: reset\ndata: {}\n\n".utf8))
                }
            } else {
                // Without this, a browser that is disconnected before the first event would return
                // as a new listener, and miss it.
                stream.write(id(newest, for: reader) + Array("\n".utf8))
            }
            let number = state.nextListener
            state.nextListener += 1
            state.listeners[number] = Listener(stream: stream, reader: reader, last: newest)
            return number
        }
        stream.onClose { [self] in _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
        return stream
    }

    /// The line with an event's number.
    private func id(_ number: Int, for reader: Reader) -> [UInt8] {
        Array("id: \(mark(of: reader))\(number)\n".utf8)
    }

    /// The number in a `Last-Event-ID`; nil if it was not counted for that reader in this run.
    private func counted(_ last: String, for reader: Reader) -> Int? {
        let mark = mark(of: reader)
        return last.hasPrefix(mark) ? Int(last.dropFirst(mark.count)) : nil
    }

    /// The beginning of a reader's numbers: a browser that signs in as someone else has to start
    /// over.
    private func mark(of reader: Reader) -> String {
        // Nobody else's token, nor its hash, can be found from this.
        let client =
            reader.client.isEmpty ? "" : AccessTokens.hash(run + reader.client).prefix(12) + "-"
        guard reader.user.sees == .own else { return "\(run)-\(client)" }
        let name = (reader.user.name ?? "").utf8.map { String($0, radix: 16) }
            .joined(separator: ".")
        return "\(run)-own.\(name)-\(client)"
    }

    /// Sends a comment to all listeners, so that both sides notice when the other is gone.
    func beat() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.stream.write(Array(":\n\n".utf8)) }
    }

    /// The number of listeners.
    var listeners: Int { state.withLock { $0.listeners.count } }
}
