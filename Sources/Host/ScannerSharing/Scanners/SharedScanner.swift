import BlockingWork
import CaptureHost
import CaptureKit
import Clocks
import ESCL
import ExpectedFailures
import FoundationEssentials
import HTTPServer
import ScanService
import Synchronization

/// A shared device with its capabilities, its state, and its jobs, one at a time.
final class SharedScanner: Sendable {
    private struct State {
        var abilities: DeviceAbilities?
        /// The task that asks the device for its abilities, while the task runs.
        var question: Task<DeviceAbilities, any Error>?
        /// The last failure to get the device's capabilities, and the time since then.
        var refusal: (age: Stopwatch, error: HostError)?
        var jobs: [ScanJob] = []
        /// The job that has the device.
        var running: ScanJob?
        /// The state in which the last job left the feeder, for a short while.
        var feeder: (age: Stopwatch, ScannerStatus.Feeder)?
        var isClosed = false
    }

    let share: SharingSettings.Share
    private let service: ScanService
    private let host: CaptureHost
    private let sharing: SharingSettings
    private let limits: ScanJob.Limits
    private let state = Mutex(State())

    /// The time for which a finished job stays in the list.
    private static let kept = Duration.seconds(60)
    /// The maximum number of jobs to list.
    private static let mostJobs = 16
    /// The time for which the feeder's state after a job is reported; if it were longer, clients
    /// would not try again.
    private static let feederWord = Duration.seconds(10)

    init(
        _ share: SharingSettings.Share, service: ScanService, host: CaptureHost,
        sharing: SharingSettings,
        limits: ScanJob.Limits
    ) {
        (self.share, self.service, self.host, self.sharing) = (share, service, host, sharing)
        self.limits = limits
    }

    /// The device's name in clients' lists, which must not be one that makes clients work around
    /// the faults of a certain maker.
    var name: String { share.name + " (Copystand)" }

    // MARK: Capabilities

    /// The device's capabilities, which are requested only once.
    ///
    /// - Throws: ``HostError`` while the device is missing or in use.
    func abilities() async throws -> DeviceAbilities {
        if let knownAbilities { return knownAbilities }
        let question = try state.withLock { state in
            // A device can be opened only once at a time, so all callers share one request.
            if let question = state.question { return question }
            if let refusal = state.refusal, refusal.age.elapsed < .seconds(5) {
                throw refusal.error
            }
            let question = Task { try await ask() }
            state.question = question
            return question
        }
        return try await question.value
    }

    private func ask() async throws -> DeviceAbilities {
        defer { state.withLock { $0.question = nil } }
        do {
            let listed = try await host.find(share.device, opens: true)
            guard listed.descriptor.kind == .scanner else {
                await host.release(listed)
                state.withLock { $0.abilities = PhotographedPage.abilities }
                return PhotographedPage.abilities
            }
            let device = try await host.open(listed)
            let found: DeviceAbilities
            do { found = try await DeviceAbilities.of(device) } catch {
                await device.close()
                throw error
            }
            await device.close()
            state.withLock { $0.abilities = found }
            return found
        } catch let error as HostError {
            state.withLock { $0.refusal = (Stopwatch(limits.clock), error) }
            throw error
        }
    }

    /// The device's capabilities, if they are known already.
    var knownAbilities: DeviceAbilities? { state.withLock(\.abilities) }

    // MARK: Status

    /// The device's state, from its jobs only, with the jobs of the client that asks.
    func status(for client: String) -> ScannerStatus {
        let hasFeeder =
            knownAbilities.map { $0.inputs[.feeder] != nil || $0.inputs[.feederDuplex] != nil }
            ?? false
        prune()
        let isInUse = service.isInUse(share.device)
        return state.withLock { state in
            var feeder = ScannerStatus.Feeder.loaded
            if let (age, word) = state.feeder, age.elapsed < Self.feederWord {
                feeder = word
            }
            return ScannerStatus(
                isBusy: isInUse || state.running != nil, feeder: hasFeeder ? feeder : nil,
                jobs: state.jobs.reversed().filter { $0.client == client }.map(\.status))
        }
    }

    // MARK: Jobs

    /// Begins a job; nil while another has the device.
    func begin(_ plan: ScanPlan, root: String, for peer: PeerAddress) -> ScanJob? {
        prune(for: peer.client)
        let id = UUID().uuidString.lowercased()
        let job = ScanJob(
            id: id, path: "\(root)/ScanJobs/\(id)", plan: plan, peer: peer, limits: limits)
        let isFirst = state.withLock { state in
            guard state.running == nil, !state.isClosed else { return false }
            state.running = job
            state.feeder = nil
            state.jobs.append(job)
            return true
        }
        guard isFirst else { return nil }
        Task { [self] in
            let end = await job.run(service, host, share)
            let feeder = end.failure.flatMap(Self.feeder)
            state.withLock { state in
                state.running = nil
                state.feeder = feeder.map { (Stopwatch(limits.clock), $0) }
            }
            // A client that notices the end immediately asks for the reason, and must not find the
            // device busy.
            job.end(end)
            let use = SharingSettings.LastUse(
                address: job.peer.text, time: Date().timeIntervalSince1970,
                pages: job.fetchedPages)
            await onOwnThread { [sharing, share] in
                // A scan is not refused because the use of the device can't be recorded.
                asHint { try sharing.note(use, of: share.device) }
            }
        }
        return job
    }

    /// The client's job of that name; nil when it has none, or no longer.
    func job(_ id: String, of client: String) -> ScanJob? {
        state.withLock { $0.jobs.first { $0.id == id && $0.client == client } }
    }

    /// Forgets jobs that ended long ago.
    private func prune() {
        state.withLock { state in
            state.jobs.removeAll { $0.restedFor.map { $0 > Self.kept } ?? false }
        }
    }

    /// Forgets jobs that ended long ago, and more if there are too many for another job of
    /// the client.
    ///
    /// Pages that another client still has to fetch are discarded last.
    private func prune(for client: String) {
        prune()
        state.withLock { state in
            while state.jobs.count >= Self.mostJobs {
                let others = state.jobs.indices.filter { state.jobs[$0] !== state.running }
                let next =
                    others.first { state.jobs[$0].restedFor != nil }
                    ?? others.first { state.jobs[$0].client == client } ?? others.first
                guard let next else { return }
                state.jobs.remove(at: next).cancel()
            }
        }
    }

    /// Accepts no further jobs, and stops the present ones.
    func close() {
        let jobs = state.withLock { state in
            state.isClosed = true
            return state.jobs
        }
        for job in jobs { job.cancel() }
    }

    private static func feeder(_ error: HostError) -> ScannerStatus.Feeder? {
        switch error.code {
        case HostError.Code(.feederEmpty): .empty
        case HostError.Code(.jammed): .jammed
        case HostError.Code(.coverOpen): .open
        case HostError.Code(.doubleFeed): .doubleFeed
        default: nil
        }
    }
}
