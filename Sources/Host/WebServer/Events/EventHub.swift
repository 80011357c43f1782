import Documents
import HTTPServer
import Synchronization

/// Sends the host's events to all listeners (server-sent events, WHATWG HTML 9.2).
///
/// The hub stores the last events, so that a listener continues where it was disconnected
/// (`Last-Event-ID`). A listener that was away for longer, or since before the host started, gets
/// `reset` first, and must request everything again.
public final class EventHub: Sendable {
    private struct State {
        var first = 1
        var kept: [Event] = []
        var bytes = 0
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    private struct Event {
        var bytes: [UInt8]
        /// The owner of what it reports; nil for everyone.
        var owner: String?
    }

    private struct Listener {
        var stream: HTTPStream
        var user: ArchiveUser
    }

    private let state = Mutex(State())
    private let run: String
    private let capacity: Int
    private let limit: Int

    /// A hub.
    ///
    /// - Parameters:
    ///   - run: the name of this run of the host in the events' numbers.
    ///   - capacity: the most stored events.
    ///   - bytes: the most bytes of stored events; each event of a job with a thousand pages has a
    ///     hundred kilobytes.
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
        state.withLock { state in
            let number = state.first + state.kept.count
            let bytes = Array("id: \(run)-\(number)\nevent: \(name)\ndata: \(data)\n\n".utf8)
            state.kept.append(Event(bytes: bytes, owner: owner))
            state.bytes += bytes.count
            var excess = max(0, state.kept.count - capacity)
            var dropped = state.kept.prefix(excess).reduce(0) { $0 + $1.bytes.count }
            while state.bytes - dropped > limit, excess < state.kept.count - 1 {
                dropped += state.kept[excess].bytes.count
                excess += 1
            }
            if excess > 0 {
                state.kept.removeFirst(excess)
                state.first += excess
                state.bytes -= dropped
            }
            for listener in state.listeners.values where listener.user.maySee(owner) {
                listener.stream.write(bytes)
            }
        }
    }

    /// A stream of the events that a user may see after the one with that number, and of all
    /// further ones.
    func listen(since last: String?, as user: ArchiveUser) -> HTTPStream {
        let stream = HTTPStream(limit: 4 << 20)
        let number = state.withLock { state -> Int in
            stream.write(Array(": Copystand\nretry: 2000\n\n".utf8))
            let next = state.first + state.kept.count
            if let last {
                let seen = last.hasPrefix(run + "-") ? Int(last.dropFirst(run.count + 1)) : nil
                if let seen, seen >= state.first - 1, seen < next {
                    for event in state.kept.dropFirst(seen + 1 - state.first)
                    where user.maySee(event.owner) {
                        stream.write(event.bytes)
                    }
                } else {
                    stream.write(Array("id: \(run)-\(next - 1)\nevent: reset\ndata: {}\n\n".utf8))
                }
            } else {
                // Without this, a browser that is disconnected before the first event would return
                // as a new listener, and miss it.
                stream.write(Array("id: \(run)-\(next - 1)\n\n".utf8))
            }
            let number = state.nextListener
            state.nextListener += 1
            state.listeners[number] = Listener(stream: stream, user: user)
            return number
        }
        stream.onClose { [self] in _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
        return stream
    }

    /// Sends a comment to all listeners, so that both sides notice when the other is gone.
    func beat() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.stream.write(Array(":\n\n".utf8)) }
    }

    /// The number of listeners.
    var listeners: Int { state.withLock { $0.listeners.count } }
}
