import Archive
import CaptureHost
import Documents
import FileNames
import FoundationEssentials
import Listings
import LiveCapture
import ScanService
import Synchronization
import Workers

/// The jobs of this host: runs them in parallel, and knows and reports their progress.
final class JobRunner: Sendable {
    private struct Entry {
        var status: JobStatus
        var phase: Phase
    }

    private enum Phase {
        case running(Running)
        case over
    }

    /// What a running job can be asked for.
    private struct Running {
        let control: ScanControl
        /// The live session of a job that watches a camera; nil for others.
        let session: LiveSession?
        let question: Question
        /// Follows the job to its end.
        let follower: Task<Void, Never>
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The jobs in the order they were begun.
        var order: [String] = []
        /// The results of the last jobs, the latest at the end.
        var results: [(id: String, result: Result<[UInt8], Problem>)] = []
        var isStopping = false

        var running: [Running] { order.compactMap { running($0) } }

        func running(_ id: String) -> Running? {
            if case .running(let running)? = entries[id]?.phase { running } else { nil }
        }
    }

    /// A report from a job's work to its follower.
    private enum News: Sendable {
        case event(ScanEvent)
        case picture(PageThumbnail)
    }

    private let state = Mutex(State())
    private let service: ScanService
    private let hub: EventHub
    /// Small pictures of the captured pages.
    let pictures = JobPictures()
    private let now: @Sendable () -> Date

    /// Jobs that have ended and are still listed.
    private static let kept = 200
    /// The number of jobs whose whole result is stored: that of a thousand pages has some
    /// megabytes.
    private static let keptResults = 16

    init(service: ScanService, hub: EventHub, now: @escaping @Sendable () -> Date = { Date() }) {
        self.service = service
        self.hub = hub
        self.now = now
    }

    /// Begins a job, and returns once it has a folder in the spool.
    ///
    /// - Parameter files: its files to scan, which now belong to the job.
    /// - Throws: an error before the capture.
    func begin(_ order: ScanOrder, adopting files: [AdoptedFile] = []) async throws -> JobStatus {
        try await run(order) { [service] control, show in
            try await service.run(order, adopting: files, control: control, onEvent: show)
        }
    }

    /// Begins to watch a camera, and returns once the job has a folder in the spool.
    ///
    /// - Parameter client: the client to which the live view belongs.
    /// - Throws: an error before the capture.
    func watch(
        _ device: ListedDevice, _ order: ScanOrder, _ options: LiveOptions, for client: String
    ) async throws -> JobStatus {
        let session = LiveSession(of: client)
        return try await run(order, session: session) { [service] _, show in
            defer { session.end() }
            return try await service.watch(
                device, order, options: options, control: session.control, onEvent: show,
                onLive: session.tell)
        }
    }

    /// Delivers an interrupted job.
    func resume(_ job: StoredJob) async throws -> JobStatus {
        try await run(Self.order(of: job), id: job.id) { [service] control, show in
            try await service.resume(job, outputs: [], control: control, onEvent: show)
        }
    }

    /// Captures further pages into a job whose capturing ended early, from the same device.
    func goOn(_ job: StoredJob) async throws -> JobStatus {
        try await run(Self.order(of: job), id: job.id, goesOn: true) { [service] control, show in
            try await service.append(to: job, .init(), control: control, onEvent: show)
        }
    }

    private static func order(of job: StoredJob) throws -> ScanOrder {
        guard let order = job.order else {
            throw Problem(
                500, "order-damaged",
                detail: "The order of job '\(job.id)' can't be read."
            )
        }
        return order
    }

    private func run(
        _ order: ScanOrder, id: String? = nil, goesOn: Bool = false,
        session: LiveSession? = nil,
        _ work:
            @escaping @Sendable (ScanControl, @escaping @Sendable (ScanEvent) -> Void) async throws
            -> ScanOutcome
    ) async throws -> JobStatus {
        guard !state.withLock(\.isStopping) else { throw CancellationError() }
        let control = session?.control.scan ?? ScanControl()
        let created = now().writable.formatted(.iso8601)
        let question = Question()
        let (news, sender) = AsyncStream.makeStream(of: News.self)
        control.onEnd { _ in try await question.wait() }
        control.onPicture { sender.yield(.picture($0)) }
        let work = Task {
            defer { sender.finish() }
            return try await work(control) { sender.yield(.event($0)) }
        }
        // The job continues without the client that requested it, so this wait is not canceled.
        let begun = Task { if let id { id } else { await Self.name(in: news) } }
        guard let id = await begun.value else {
            _ = try await work.value
            throw CancellationError()
        }
        let status = JobStatus(
            id: id, order: order, created: created, isWatch: session != nil, goesOn: goesOn,
            earlier: goesOn ? self.status(id) : nil)
        add(status) {
            Running(
                control: control, session: session, question: question,
                follower: Task { await self.follow(id, news, work) })
        }
        return status
    }

    /// The name of a job, once it has a folder in the spool; nil if it ends before that.
    private static func name(in news: AsyncStream<News>) async -> String? {
        for await case .event(.began(let id)) in news { return id }
        return nil
    }

    /// Keeps a job's state up to date until it ends.
    private func follow(
        _ id: String, _ news: AsyncStream<News>, _ work: Task<ScanOutcome, any Error>
    ) async {
        for await one in news {
            switch one {
            case .event(let event): update(id, isUrgent: event.isMilestone) { $0.apply(event) }
            case .picture(let picture):
                pictures.keep(picture.bytes, of: id, picture.number)
                update(id, isUrgent: false) { $0.pictured(picture.number) }
                tell(picture.number, of: id)
            }
        }
        let result = await work.result
        keep(result, of: id)
        update(id, isUrgent: true) { $0.finish(result) }
        state.withLock { $0.entries[id]?.phase = .over }
    }

    /// Adds a job, and reports it before its follower reports anything.
    private func add(_ status: JobStatus, _ begin: () -> Running) {
        tell(status)
        state.withLock { state in
            state.entries[status.id] = Entry(status: status, phase: .running(begin()))
            state.order.removeAll { $0 == status.id }
            state.order.append(status.id)
            let over = state.order.filter { state.running($0) == nil }
            for id in over.dropLast(Self.kept) {
                state.entries[id] = nil
                state.order.removeAll { $0 == id }
            }
        }
    }

    private func update(_ id: String, isUrgent: Bool, _ change: (inout JobStatus) -> Void) {
        let status = state.withLock { state in
            guard var entry = state.entries[id] else { return nil as JobStatus? }
            change(&entry.status)
            state.entries[id] = entry
            return entry.status
        }
        if isUrgent, let status { tell(status) }
    }

    private func keep(_ result: Result<ScanOutcome, any Error>, of id: String) {
        let kept: Result<[UInt8], Problem>
        do {
            let told = ScanJSON(try result.get()) { Problem($0).detail }
            kept = .success(
                Array(
                    SafeJSON.text(try JSONEncoder().encode(told.cleaned(PublicView.words))).utf8))
        } catch {
            kept = .failure(Problem(error))
        }
        state.withLock { state in
            state.results.removeAll { $0.id == id }
            state.results = state.results.suffix(Self.keptResults - 1) + [(id, kept)]
        }
    }

    /// The result of an ended job as JSON; nil for a running job, or one that is not among the
    /// last.
    ///
    /// - Throws: the ``Problem`` with which a job failed before it had anything to deliver.
    func result(_ id: String) throws(Problem) -> [UInt8]? {
        try state.withLock { $0.results.first { $0.id == id }?.result }?.get()
    }

    private func tell(_ status: JobStatus) {
        hub.publish("job", json: status, of: status.owner)
    }

    private struct PageJSON: Encodable {
        var job: String
        var pages: [JobStatus.Page]
    }

    /// Reports a picture of the capture with this number, for the pages that it shows.
    private func tell(_ captured: Int, of id: String) {
        let status = status(id)
        let pages = status?.pages.filter { $0.captured == captured } ?? []
        hub.publish("page", json: PageJSON(job: id, pages: pages), of: status?.owner)
    }

    /// The state of a job since the host's start; nil when there is none with that name.
    func status(_ id: String) -> JobStatus? { state.withLock { $0.entries[id]?.status } }

    /// The live session of a job that watches a camera; nil for others, and after the watch.
    func session(_ id: String) -> LiveSession? { state.withLock { $0.running(id)?.session } }

    /// Answers a job's question; false when the job has none.
    func answer(_ id: String, goesOn: Bool) -> Bool {
        // The state is published before the job continues, so that it does not replace a later one.
        let question = state.withLock { state in
            state.entries[id]?.status.answered(goesOn: goesOn) == true
                ? state.running(id)?.question : nil
        }
        guard let question else { return false }
        if let status = status(id) { tell(status) }
        question.answer(goesOn)
        return true
    }

    /// Sets the part of the camera's picture that a job keeps; false when the job watches none, or
    /// searches for pages.
    func draw(_ region: LiveRegion, on id: String) -> Bool {
        guard let session = session(id), status(id)?.region != nil else { return false }
        session.control.draw(region.part)
        update(id, isUrgent: true) { $0.region = region }
        return true
    }

    /// All jobs since the host's start, with the latest first.
    var all: [JobStatus] {
        state.withLock { state in state.order.reversed().compactMap { state.entries[$0]?.status } }
    }

    /// The names of the jobs whose pages wait for a worker, or are with one.
    var left: [String] {
        state.withLock { state in
            state.entries.values.filter(\.status.isLeft).map(\.status.id).sorted()
        }
    }

    /// Records and reports where a left job's pages are now.
    func follow(_ id: String, _ arrival: Arrival) {
        change(id) { $0.follow(arrival) }
    }

    /// Records and reports the documents that a worker made of a left job.
    func arrived(_ id: String, as documents: [DocumentSummary]) {
        change(id) { $0.arrived(as: documents) }
    }

    /// Changes a left job, and reports the change if its place is another one now.
    private func change(_ id: String, _ change: @Sendable (inout JobStatus) -> Void) {
        guard let before = status(id), before.isLeft else { return }
        var after = before
        change(&after)
        let isNews =
            (before.place, before.ahead, before.read, before.state)
            != (after.place, after.ahead, after.read, after.state)
        if isNews { update(id, isUrgent: true, change) }
    }

    /// Stops a job's capturing; false when no such job runs.
    func stop(_ id: String) -> Bool {
        let control = state.withLock { $0.running(id)?.control }
        control?.stop()
        return control != nil
    }

    /// Stops all capturing, and returns once every captured page is delivered or safe in the spool.
    func shutDown() async {
        while true {
            let running = state.withLock { state in
                state.isStopping = true
                return state.running
            }
            if running.isEmpty { return }
            for job in running { job.control.stop() }
            for job in running { await job.follower.value }
        }
    }

    /// Waits for a job to be over.
    func end(of id: String) async { await state.withLock { $0.running(id)?.follower }?.value }

    /// The number of running jobs.
    var running: Int { state.withLock(\.running.count) }
}

extension ScanEvent {
    /// False for progress within a page, which is too much for the connection; the job's
    /// status contains it anyway.
    fileprivate var isMilestone: Bool {
        if case .capturing(_, _, let rows, _) = self { rows == 0 } else { true }
    }
}
