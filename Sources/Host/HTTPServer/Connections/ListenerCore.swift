import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// The state behind the library's callbacks.
final class ListenerCore: Sendable {
    private struct State {
        var records: [ObjectIdentifier: ConnectionRecord] = [:]
        var streams: [ObjectIdentifier: (stream: HTTPStream, peer: PeerAddress)] = [:]
        var isStopping = false
    }

    let handler: any HTTPHandler
    let limits: HTTPLimits
    let isTLS: Bool
    let counters: HTTPCounters
    /// The limit on the bodies of all requests in memory.
    let memory: ByteBudget
    private let state = Mutex(State())
    private let sleeping = AwaitedCount()
    /// Requests whose handlers were called, and whose answers were not sent yet.
    private let answering = AwaitedCount()

    init(handler: any HTTPHandler, limits: HTTPLimits, isTLS: Bool, counters: HTTPCounters) {
        self.handler = handler
        self.limits = limits
        self.isTLS = isTLS
        self.counters = counters
        memory = ByteBudget(limit: limits.bodiesInMemory)
    }

    /// Seconds on a clock that can't be set.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Connections

    func add(_ record: ConnectionRecord) {
        state.withLock { $0.records[ObjectIdentifier(record)] = record }
    }
    func remove(_ record: ConnectionRecord) {
        _ = state.withLock { $0.records.removeValue(forKey: ObjectIdentifier(record)) }
    }

    /// Cuts slow peers.
    func cutSlowPeers() {
        let now = Self.now
        for record in state.withLock({ Array($0.records.values) }) {
            if record.cut(now: now, idle: limits.idle) { counters.count(.cutForTime) }
        }
    }

    /// True if a new connection is accepted; if necessary, the connection that has been idle
    /// longest is closed for it.
    func admits(_ peer: PeerAddress) -> Bool {
        let all = state.withLock { Array($0.records.values) }.filter { !$0.isCut }
        if !peer.isLoopback {
            let own = all.filter { $0.peer.group == peer.group }
            guard own.count < limits.connectionsPerAddress || makeRoom(among: own) else {
                counters.count(.refusedForAddress)
                return false
            }
        }
        guard all.count < limits.connections || makeRoom(among: all) else {
            counters.count(.refusedForAll)
            return false
        }
        return true
    }

    /// Cuts the connection that has been idle for longest; false when none is idle.
    private func makeRoom(among records: [ConnectionRecord]) -> Bool {
        let idle = records.compactMap { record in record.idleSince.map { (record, since: $0) } }
            .sorted { $0.since < $1.since }
        guard idle.contains(where: { $0.0.cutIfIdle() }) else { return false }
        counters.count(.cutForRoom)
        return true
    }

    // MARK: Sleeping connections

    /// Suspends a connection; the library must not be stopped before it is resumed.
    ///
    /// - Returns: false when the listener is being stopped; the connection is then awake.
    func sleep(_ connection: OpaquePointer) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            sleeping.begin()
            answering.begin()
            MHD_suspend_connection(connection)
            return true
        }
    }

    /// Wakes a sleeping connection.
    func wake(_ connection: OpaquePointer) {
        MHD_resume_connection(connection)
        sleeping.end()
    }

    /// Called when the answer to a request that has slept was sent, or its connection broke.
    func answered() { answering.end() }

    // MARK: Streams

    /// Stores a stream, so that it ends with the listener; false when there are too many, and the
    /// stream is then closed.
    func add(_ stream: HTTPStream, of peer: PeerAddress) -> Bool {
        let (isAdded, isLate) = state.withLock { state in
            let own = state.streams.values.count { $0.peer.group == peer.group }
            let isAdded =
                state.streams.count < limits.streams
                && (peer.isLoopback || own < limits.streamsPerAddress)
            if isAdded { state.streams[ObjectIdentifier(stream)] = (stream, peer) }
            return (isAdded, state.isStopping)
        }
        if !isAdded {
            counters.count(.refusedStream)
            stream.close()
        } else if isLate {
            stream.finish()
        }
        return isAdded
    }

    func remove(_ stream: HTTPStream) {
        _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.close()
    }

    /// The seconds for which answers may wait for peers that don't read, after the listener was
    /// asked to stop.
    private static let farewell = 2.0

    /// Ends every stream, and returns when no connection sleeps and all answers that someone reads
    /// were sent.
    func stop() {
        let streams = state.withLock { state in
            state.isStopping = true
            return state.streams.values.map(\.stream)
        }
        for stream in streams { stream.finish() }
        sleeping.wait()
        answering.wait(until: .now() + Self.farewell)
    }
}
