import CMicroHTTPD
import Glibc
import Synchronization

/// What the library's callbacks work on.
final class ListenerCore: Sendable {
    private struct State {
        var records: [ObjectIdentifier: ConnectionRecord] = [:]
        var streams: [ObjectIdentifier: HTTPStream] = [:]
        var sleeping = 0
        /// How many requests have been handed to the handler, and their answers not yet gone.
        var answering = 0
        var isStopping = false
    }

    let handler: any HTTPHandler
    let limits: HTTPLimits
    private let state = Mutex(State())

    init(handler: any HTTPHandler, limits: HTTPLimits) {
        self.handler = handler
        self.limits = limits
    }

    /// Seconds on a clock that is never set.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
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
            record.cut(now: now, idle: limits.idle)
        }
    }

    // MARK: Sleeping connections

    /// Puts a connection to sleep; the library must not be stopped before it has been woken.
    ///
    /// - Returns: false when the listener is being stopped, and the connection is awake.
    func sleep(_ connection: OpaquePointer) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.sleeping += 1
            state.answering += 1
            MHD_suspend_connection(connection)
            return true
        }
    }

    /// Wakes a connection that was put to sleep.
    func wake(_ connection: OpaquePointer) {
        MHD_resume_connection(connection)
        state.withLock { $0.sleeping -= 1 }
    }

    /// The answer to a request that once slept has gone, or its connection broke.
    func answered() {
        state.withLock { $0.answering -= 1 }
    }

    // MARK: Streams

    /// Keeps a stream so that it can be finished with the listener.
    func add(_ stream: HTTPStream) {
        let isLate = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = stream
            return state.isStopping
        }
        if isLate { stream.finish() }
    }

    func remove(_ stream: HTTPStream) {
        _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        stream.close()
    }

    /// How long answers may take to go to peers that don't read, once the listener is being stopped: 5 s.
    private static let farewell: Duration = .seconds(5)

    /// Finishes every stream and returns once no connection sleeps, and all answers have gone that are being read.
    func stop() {
        let streams = state.withLock { state in
            state.isStopping = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
        while state.withLock({ $0.sleeping > 0 }) { usleep(2000) }
        let end = ContinuousClock.now + Self.farewell
        while state.withLock({ $0.answering > 0 }), ContinuousClock.now < end { usleep(2000) }
    }
}
