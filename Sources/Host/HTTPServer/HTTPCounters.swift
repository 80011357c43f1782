import Synchronization

/// Counts of the connections and requests that a server has refused or cut.
public final class HTTPCounters: Sendable {
    /// The events that are counted.
    public enum Event: String, CaseIterable, Sendable {
        /// A connection was refused because its address had too many, none of them idle.
        case refusedForAddress = "refused_for_address"
        /// A connection was refused because there were too many in all, none of them idle.
        case refusedForAll = "refused_for_all"
        /// An idle connection was closed to make room for a new one.
        case cutForRoom = "cut_for_room"
        /// A peer was cut because it was too slow or silent.
        case cutForTime = "cut_for_time"
        /// A request was refused because two programs could read it differently.
        case malformed
        /// A stream of events or pictures was refused because there were too many.
        case refusedStream = "refused_stream"
        /// A body was refused because too much was already being received.
        case refusedBody = "refused_body"
    }

    private let counts = Mutex<[Event: Int]>([:])

    /// Counters at zero.
    public init() {}

    /// The number of times that an event has happened.
    public subscript(_ event: Event) -> Int { counts.withLock { $0[event] ?? 0 } }

    func count(_ event: Event) { counts.withLock { $0[event, default: 0] += 1 } }
}
