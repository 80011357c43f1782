import Dispatch
import FoundationEssentials
import Synchronization

/// Listens to another host's events about a watched camera, even if the connection is lost for a
/// while.
///
/// Live events during a lost connection are not repeated; the host sends the present state first.
public final class LiveListener: Sendable {
    /// The seconds before a lost connection is established again.
    private static let pause = 0.3

    private let host: HostConnection
    private let job: String
    private struct State {
        var isStopped = false
        var isLast = false
    }

    private let state = Mutex(State())
    /// Left when the listener must stop; a semaphore would wait by the time of day.
    private let ending = DispatchGroup()

    /// A listener for a watching job.
    public init(_ host: HostConnection, job: String) {
        self.host = host
        self.job = job
        ending.enter()
    }

    deinit { if !isLast { ending.leave() } }

    /// Reports each event until the end of the watch, or ``stop()``.
    ///
    /// It blocks. Connection problems are reported by the job's follower.
    ///
    /// - Parameter onEvent: gets the event's JSON, on the listening thread.
    public func listen(_ onEvent: @escaping ([UInt8]) -> Void) {
        let path = "/api/v1/jobs/\(HostConnection.part(job))/live/events"
        while !isStopped {
            let stream = EventStream(
                onEvent: { event in
                    if event.name == "live" { onEvent(event.data) }
                    return true
                }, isWanted: { [self] in !isStopped })
            do {
                try host.listen(path, to: stream)
            } catch {
                // The job does not watch a camera.
                if case .refused(_, let status) = error.code, status == 404 || status == 409 {
                    return
                }
                if error.code == .notCopystand { return }
            }
            if isLast { return }
            if ending.wait(timeout: .now() + Self.pause) == .success { return }
        }
    }

    /// Stops listening, within about a second.
    public func stop() {
        end { $0.isStopped = true }
    }

    /// Stops listening with the current stream.
    public func finish() {
        end { _ in }
    }

    private func end(_ change: (inout State) -> Void) {
        let isFirst = state.withLock { state in
            change(&state)
            defer { state.isLast = true }
            return !state.isLast
        }
        if isFirst { ending.leave() }
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }
    private var isLast: Bool { state.withLock(\.isLast) }
}
