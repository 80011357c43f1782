import Clocks
import ExpectedFailures
import FoundationEssentials
import Glibc

/// Follows another host's job to its end, even when the connection is lost for a while.
///
/// The job's changes come as events. After a lost connection, the follower continues after the last
/// known event (`Last-Event-ID`); if the host no longer knows that event, it requests the job's
/// state. A stream that is silent for longer than the host's patience counts as lost: the host
/// sends something at least every fifteen seconds.
public struct JobFollower {
    private let host: HostConnection
    private let id: String
    private let onChange: (RemoteJob) -> Void
    private let onCut: (String) -> Void

    /// - Parameters:
    ///   - id: the job's id.
    ///   - onChange: gets the job's state after each change, on the following thread.
    ///   - onCut: gets a message that the host can't be reached and is being retried.
    public init(
        _ host: HostConnection, job id: String, onChange: @escaping (RemoteJob) -> Void,
        onCut: @escaping (String) -> Void
    ) {
        self.host = host
        self.id = id
        self.onChange = onChange
        self.onCut = onCut
    }

    /// The state of following.
    private final class Progress {
        var job: RemoteJob?
        var last: String?
        var failure: HostFailure?
        var isHeard = false
    }

    /// The time that a stream without events must last to prove that the host is reachable.
    private static let proof = Duration.seconds(10)
    /// The seconds between attempts.
    private static let pauses = [0.2, 0.5, 1, 2, 3]

    /// Returns the job's final state.
    ///
    /// The call blocks until then.
    ///
    /// - Throws: ``HostFailure``: `cut` when the host can't be reached for longer than its
    ///   patience, `jobGone` when it restarted.
    public func follow() throws(HostFailure) -> RemoteJob {
        let progress = Progress()
        var (waited, tries) = (0.0, 0)
        while true {
            progress.isHeard = false
            let start = ContinuousClock.now
            let trouble = listen(progress)
            if let job = progress.job, job.isOver { return job }
            if let failure = progress.failure { throw failure }
            // A host that accepts connections but sends nothing counts as unreachable too.
            if progress.isHeard || ContinuousClock.now - start > Self.proof {
                (waited, tries) = (0, 0)
            }
            if let trouble, !isPassing(trouble) { throw trouble }
            if tries == 0 {
                onCut(
                    "The connection to \(host.address.text) was lost; the job continues there. Trying again."
                )
            }
            guard waited < Double(host.patience) else { throw cut(trouble) }
            let seconds = Self.pauses[min(tries, Self.pauses.count - 1)]
            host.clock.sleep(for: .seconds(seconds))
            (waited, tries) = (waited + seconds, tries + 1)
        }
    }

    /// Listens until the job is over or the stream ends; returns the failure, if there was one.
    private func listen(_ progress: Progress) -> HostFailure? {
        let stream = EventStream(
            onBegin: {
                // Missed events are sent again; without the number of a last event, the job itself
                // is requested.
                return progress.last != nil || look(progress)
            },
            onEvent: { event in
                progress.isHeard = true
                if !event.id.isEmpty { progress.last = event.id }
                switch event.name {
                case "reset": return look(progress)
                case "job": return take(event.data, progress)
                default: return true
                }
            })
        do {
            try host.listen("/api/v1/events", since: progress.last, to: stream)
            return nil
        } catch {
            return error
        }
    }

    /// Requests the job's state; false when the job is over.
    private func look(_ progress: Progress) -> Bool {
        do {
            let path = "/api/v1/jobs/\(HostConnection.part(id))"
            return note(try host.get(path, as: RemoteJob.self), progress)
        } catch {
            if case .refused("no-such-job", _) = error.code {
                progress.failure = HostFailure(
                    .jobGone,
                    "\(host.address.text) restarted and no longer runs the job \(id). To list what it had captured: copystand jobs --host \(host.address.text)"
                )
            } else if !isPassing(error) {
                progress.failure = error
            }
            return false
        }
    }

    private func take(_ data: [UInt8], _ progress: Progress) -> Bool {
        struct Named: Decodable { var id: String }
        let data = Data(data)
        guard let named = ofKnownForm({ try JSONDecoder().decode(Named.self, from: data) }) else {
            progress.failure = host.notCopystand(
                "/api/v1/events", "with an unexpected event")
            return false
        }
        guard named.id == id else { return true }
        guard let job = ofKnownForm({ try JSONDecoder().decode(RemoteJob.self, from: data) }) else {
            progress.failure = host.notCopystand(
                "/api/v1/events", "with an unexpected job")
            return false
        }
        return note(job, progress)
    }

    private func note(_ job: RemoteJob, _ progress: Progress) -> Bool {
        guard job.id == id else {
            progress.failure = host.notCopystand("/api/v1/jobs", "with another job")
            return false
        }
        if job != progress.job {
            progress.job = job
            onChange(job)
        }
        return !job.isOver
    }

    /// True if a failure may be temporary.
    private func isPassing(_ failure: HostFailure) -> Bool {
        switch failure.code {
        case .unreachable: true
        case .refused(_, let status): status == 503 || status == 429
        default: false
        }
    }

    private func cut(_ trouble: HostFailure?) -> HostFailure {
        HostFailure(
            .cut,
            "\(host.address.text) could not be reached for \(host.patience) s\(trouble.map { " (\($0.message))" } ?? ""). The job \(id) continues there: see copystand jobs --host \(host.address.text), and copystand list --host \(host.address.text) for its document."
        )
    }
}
