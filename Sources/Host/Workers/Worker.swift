import BlockingWork
import Archive
import Clocks
import Delivery
import ExpectedFailures
import FileNames
public import ScanService
import Synchronization
import WorkQueue

/// Takes jobs that stations left in a shared archive, and processes them, several at a time.
///
///     let worker = Worker(
///         for: "postgresql://db/scans", service: service, places: 4, version: "1.0") { print($0) }
///     try await worker.run()
///
/// When its task is canceled, it claims no further job, and continues for some seconds with those
/// that it has. What is not finished by then waits for another worker. A worker that is killed, or
/// that the network cuts off, loses its jobs to others after a minute.
public final class Worker: Sendable {
    /// The times that a worker waits.
    public struct Pace: Sendable {
        /// The maximum wait for a notification of new jobs; then the queue is checked anyway.
        public var look = Duration.seconds(2)
        /// The time for which a worker continues its jobs after a request to stop.
        public var grace = Duration.seconds(8)
        /// The time between two announcements, and between two rounds of maintenance.
        public var round = Duration.seconds(15)
        /// The maximum time between two heartbeats of a job.
        public var beat = Duration.seconds(10)

        /// The usual times.
        public init() {}
    }

    /// Its name, which no other worker has.
    public let name: String
    private let place: String
    private let service: ScanService
    private let places: Int
    private let version: String
    private let pace: Pace
    private let clock: any Clock<Duration>
    private let onEvent: @Sendable (WorkerEvent) -> Void

    private let claims: QueueLine
    private let reports: QueueLine
    private let rounds: QueueLine
    private let news: QueueLine
    private let archive = Mutex<Archive?>(nil)
    private let bell = Bell()
    private let isStopping = Atomic(false)
    private let running = Atomic(0)
    private let isAway = Atomic(false)

    /// A worker for the archive at the address of a database.
    ///
    /// - Parameters:
    ///   - service: processes the pages.
    ///   - places: the number of jobs to process at the same time, at least 1.
    ///   - version: the program's version, for lists.
    public init(
        for place: String, service: ScanService, places: Int, version: String,
        pace: Pace = Pace(), clock: any Clock<Duration> = ContinuousClock(),
        onEvent: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.place = place
        self.service = service
        self.places = max(1, places)
        self.version = version
        self.pace = pace
        self.clock = clock
        self.onEvent = onEvent
        // A random part, because two workers with one name would take each other's jobs.
        name = "\(ThisStation.name)-" + String(UInt64.random(in: 0..<(1 << 40)), radix: 36)
        claims = QueueLine(place, purpose: "claims")
        reports = QueueLine(place, purpose: "reports")
        rounds = QueueLine(place, purpose: "rounds")
        news = QueueLine(place, purpose: "news")
    }

    /// Works until the task is canceled.
    ///
    /// - Parameter untilIdle: true to return as soon as no job is due and none runs here.
    /// - Throws: `ArchiveError` when there is no such archive, or it does not let this user in. A
    ///   server that does not answer is waited for.
    public func run(untilIdle: Bool = false) async throws {
        try await checkArchive(waits: !untilIdle)
        let work = Task { await self.work(untilIdle: untilIdle) }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            isStopping.store(true, ordering: .sequentiallyConsistent)
            bell.ringAll()
            Task { [clock, pace] in
                await clock.pause(for: pace.grace)
                work.cancel()
            }
        }
    }

    private func checkArchive(waits: Bool) async throws {
        do {
            _ = try await onOwnThread { try self.openedArchive() }
            try await claims.use { _ in }
        } catch let error as ArchiveError where error.code == .unreachable && waits {
            noteAway(error)
        }
    }

    /// The archive, which stays open so that all jobs share its connections.
    private func openedArchive() throws(ArchiveError) -> Archive {
        try archive.withLock { archive throws(ArchiveError) in
            if let archive { return archive }
            let opened = try Archive.open(place, .readWrite)
            archive = opened
            return opened
        }
    }

    private var mustStop: Bool { isStopping.load(ordering: .sequentiallyConsistent) }

    private func work(untilIdle: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            let helpers = [Task { await listen() }, Task { await makeRounds() }]
            for _ in 0..<places { group.addTask { await self.serve(untilIdle: untilIdle) } }
            await group.waitForAll()
            for helper in helpers { helper.cancel() }
        }
        await ifStillThere { try await rounds.use { [name] in try $0.dismiss(name) } }
    }

    /// Rings when there may be jobs: after a notification, and now and then without one.
    private func listen() async {
        let milliseconds = Int(pace.look / .milliseconds(1))
        while !Task.isCancelled {
            do {
                try await news.use { queue in
                    try queue.listen()
                    // Not all workers look at the same time.
                    try queue.wait(milliseconds: milliseconds * .random(in: 75...125) / 100)
                }
            } catch { await clock.pause(for: pace.look) }
            bell.ring()
        }
    }

    /// Reports that this worker runs, and does the maintenance that one process does for all.
    private func makeRounds() async {
        while !Task.isCancelled {
            let machine = Machine(
                name: name, role: .worker, version: version,
                load: running.load(ordering: .relaxed), places: places)
            let freed = await repeatedSoon {
                try await rounds.use { queue in
                    try queue.announce(machine)
                    return try queue.maintain()?.freed ?? 0
                }
            }
            if freed ?? 0 > 0 { bell.ring() }
            await clock.pause(for: pace.round)
        }
    }

    // MARK: Jobs

    /// Takes one job after the other.
    private func serve(untilIdle: Bool) async {
        while !mustStop {
            do {
                let claimed = try await claims.use { [name] queue in
                    try queue.claim(1, of: LeftJob.kind, for: name).first
                }
                noteBack()
                if let claimed {
                    // Another worker may run for another place.
                    bell.ring()
                    await handle(claimed)
                    continue
                }
                if untilIdle, running.load(ordering: .sequentiallyConsistent) == 0 {
                    return bell.ring()
                }
            } catch { noteAway(error) }
            await bell.wait()
        }
    }

    private func handle(_ job: ClaimedJob) async {
        running.add(1, ordering: .sequentiallyConsistent)
        defer { running.subtract(1, ordering: .sequentiallyConsistent) }
        onEvent(.began(job: job.key, station: job.station, pages: job.size))
        let watch = Stopwatch(clock)
        let progress = JobProgress()
        let work = Task { try await self.process(job, progress) }
        let beats = Task { await self.beat(job, progress) { work.cancel() } }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        beats.cancel()
        // Reports must arrive although this task may be canceled.
        await Task { await self.report(result, of: job, progress, watch.elapsed) }.value
    }

    private func report(
        _ result: Result<ScanOutcome, any Error>, of job: ClaimedJob, _ progress: JobProgress,
        _ time: Duration
    ) async {
        if progress.isLost { return onEvent(.lost(job: job.key)) }
        switch result {
        case .success(let outcome):
            if let failure = outcome.failures.first {
                return await fail(job, failure.error.message)
            }
            onEvent(
                .finished(
                    job: job.key, station: job.station, pages: outcome.pages.count,
                    words: outcome.pages.reduce(0) { $0 + $1.words }, seconds: time / .seconds(1)))
        case .failure(is CancellationError):
            let isGiven = await ifStillThere { try await reports.use { try $0.giveBack(job) } }
            onEvent(isGiven == false ? .lost(job: job.key) : .gaveBack(job: job.key))
        case .failure(let error): await fail(job, WorkFailure.words(error))
        }
    }

    /// Reports a failure; one that can't be reported is noticed by the missing heartbeats.
    ///
    /// Everyone who shares the archive can read the reason, so it names none of this machine's
    /// folders.
    private func fail(_ job: ClaimedJob, _ reason: String) async {
        let shown = PlaceNames.removed(from: reason)
        let isMine = await ifStillThere {
            try await reports.use { try $0.fail(job, reason: shown) }
        }
        onEvent(isMine == false ? .lost(job: job.key) : .failed(job: job.key, reason: reason))
    }

    private func process(_ job: ClaimedJob, _ progress: JobProgress) async throws -> ScanOutcome {
        let (archive, left) = try await onOwnThread {
            let archive = try self.openedArchive()
            return (archive, try archive.leftJob(job.key))
        }
        guard let left else {
            throw ArchiveError(
                .missing, "The captured pages of the job '\(job.key)' are no longer there.")
        }
        return try await service.process(
            left, of: archive, as: job, control: ScanControl()
        ) { event in
            if case .finished = event { progress.add() }
        }
    }

    /// Reports repeatedly that a job is being worked on, and its progress.
    private func beat(
        _ job: ClaimedJob, _ progress: JobProgress, onLoss: @Sendable () -> Void
    ) async {
        let pause = min(pace.beat, .seconds(job.patience / 6))
        while true {
            await clock.pause(for: pause)
            if Task.isCancelled { return }
            let isMine = await repeatedSoon {
                try await reports.use { [pages = progress.pages] queue in
                    try queue.beat(job, progress: pages)
                }
            }
            guard isMine == false, !Task.isCancelled else { continue }
            progress.lose()
            return onLoss()
        }
    }

    // MARK: The server

    private func noteAway(_ error: any Error) {
        guard !isAway.exchange(true, ordering: .relaxed) else { return }
        onEvent(.away(reason: WorkFailure.words(error)))
    }

    private func noteBack() {
        if isAway.exchange(false, ordering: .relaxed) { onEvent(.back) }
    }
}

/// The progress of a job, with a mark if another worker has it by now.
private final class JobProgress: Sendable {
    private let count = Atomic(0)
    private let lost = Atomic(false)

    var pages: Int { count.load(ordering: .relaxed) }
    var isLost: Bool { lost.load(ordering: .sequentiallyConsistent) }

    func add() { count.add(1, ordering: .relaxed) }
    func lose() { lost.store(true, ordering: .sequentiallyConsistent) }
}
