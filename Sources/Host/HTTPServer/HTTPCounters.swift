import Synchronization

/// Counts of what a server has refused or cut since it began.
public final class HTTPCounters: Sendable {
    /// What is counted.
    public enum Event: String, CaseIterable, Sendable {
        /// A connection was refused because its address had too many, none of them idle.
        case refusedForAddress = "refused_for_address"
        /// A connection was refused because there were too many in all, none of them idle.
        case refusedForAll = "refused_for_all"
        /// An idle connection was closed to make room for a new one.
        case cutForRoom = "cut_for_room"
        /// A peer was cut because it was too slow or silent.
        case cutForTime = "cut_for_time"
        /// A request was refused because it could be read in more than one way.
        case malformed
        /// A stream of events or pictures was refused because there were too many.
        case refusedStream = "refused_stream"
        /// A body was refused because too much was already being received.
        case refusedBody = "refused_body"
    }

    private let counts = Mutex<[Event: Int]>([:])

    /// Counters that are at zero.
    public init() {}

    /// How often something has happened.
    public subscript(_ event: Event) -> Int { counts.withLock { $0[event] ?? 0 } }

    func count(_ event: Event) { counts.withLock { $0[event, default: 0] += 1 } }
}
