import BlockingWork
import Clocks
import Delivery
import ExpectedFailures
import ScanService

/// Delivers the jobs in the spool that wait for an archive whose server did not answer, one after
/// the other, the oldest first.
actor AwaitedArchives {
    private let store: JobStore
    private let jobs: JobRunner
    private let clock: any Clock<Duration>
    /// The number of times that each job was tried without success.
    private var attempts: [String: Int] = [:]
    /// The number of ticks for which a job is not tried again after such an attempt.
    private var rest: [String: Int] = [:]

    /// The maximum rest of a job, in ticks.
    private static let longest = 60

    init(store: JobStore, jobs: JobRunner, clock: any Clock<Duration>) {
        (self.store, self.jobs, self.clock) = (store, jobs, clock)
    }

    /// Checks every 15 s for jobs whose archives answer again, until the task is canceled.
    func watch() async {
        while !Task.isCancelled {
            await deliver()
            await clock.pause(for: .seconds(15))
        }
    }

    /// Delivers all jobs whose archives answer now.
    private func deliver() async {
        let waiting = await onOwnThread { [store] in
            store.jobs().filter { !$0.awaitedArchives.isEmpty }
        }
        let ids = Set(waiting.map(\.id))
        attempts = attempts.filter { ids.contains($0.key) }
        var silent: Set<String> = []
        for job in waiting where !Task.isCancelled {
            let left = rest[job.id] ?? 0
            rest[job.id] = left > 0 ? left - 1 : nil
            // A server that does not answer is asked once in each round.
            guard left == 0, silent.isDisjoint(with: job.awaitedArchives) else { continue }
            let unanswered = await onOwnThread {
                job.awaitedArchives.first { !ArchiveSink(folder: $0).answers }
            }
            if let unanswered { silent.insert(unanswered) } else { await deliver(job) }
        }
    }

    private func deliver(_ job: StoredJob) async {
        // Another process may have resumed or discarded the job.
        guard await ifStillThere({ [jobs] in try await jobs.resume(job) }) != nil else { return }
        await jobs.end(of: job.id)
        let now = await ifStillThere { [store] in try store.job(job.id) }
        guard let now, !now.awaitedArchives.isEmpty else { return }
        let tried = (attempts[job.id] ?? 0) + 1
        attempts[job.id] = tried
        rest[job.id] = min(1 << min(tried, 6), Self.longest)
    }
}
