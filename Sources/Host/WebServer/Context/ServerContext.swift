import BlockingWork
import Archive
public import CaptureHost
import Clocks
import Delivery
import ExpectedFailures
import FileNames
import FoundationEssentials
public import JobOptions
import Listings
public import Processing
public import ScanService
public import ScannerSharing

/// The context of the routes: the parts of the running host.
public struct ServerContext: Sendable {
    let host: CaptureHost
    let service: ScanService
    let store: JobStore
    let profiles: ProfileLibrary
    let archive: OpenArchive
    /// The output of a scan without a sink, in the form of `ScanOrder`.
    let defaultOutput: String
    /// The place where pages are processed that go only into a shared archive.
    let processing: ProcessingPlace
    /// The named sinks.
    let sinks: NamedSinks
    /// The settings of shared devices.
    let shares: SharingSettings
    /// True if this host serves shared devices.
    let servesShares: Bool
    /// The name of this run of the host.
    let run: String
    /// The program's version.
    let version: String
    let jobs: JobRunner
    let events: EventHub
    let uploads: Uploads
    let previews: PreviewStore
    private let resumption = OneTask<[String]>()
    private let archiveFolder: String
    /// The archive's place: a folder, or the address of a database.
    var archivePlace: String { archiveFolder }
    /// The clock for repeated work.
    private let clock: any Clock<Duration>

    /// A context with these parts.
    ///
    /// - Parameters:
    ///   - processing: where pages are processed that go only into a shared archive.
    ///   - run: the name of this run of the host, in the numbers of its events.
    ///   - version: the program's version.
    ///   - sinks: the named sinks.
    ///   - shares: the settings of shared devices.
    ///   - servesShares: whether this host serves shared devices.
    ///   - clock: the clock for repeated work.
    public init(
        host: CaptureHost, service: ScanService, store: JobStore, profiles: ProfileLibrary,
        archiveFolder: String, defaultOutput: String,
        processing: ProcessingPlace = .here, run: String, version: String,
        sinks: NamedSinks, shares: SharingSettings, servesShares: Bool,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.host = host
        let service = service.ofHost()
        // All requests through the context come over the network.
        host.refuseHostPaths()
        self.service = service
        self.store = store
        self.profiles = profiles
        archive = OpenArchive(folder: archiveFolder)
        self.archiveFolder = archiveFolder
        self.clock = clock
        self.defaultOutput = defaultOutput
        self.processing = processing
        self.sinks = sinks
        (self.shares, self.servesShares) = (shares, servesShares)
        (self.run, self.version) = (run, version)
        uploads = Uploads(root: store.root)
        events = EventHub(run: run)
        jobs = JobRunner(service: service, hub: events)
        previews = PreviewStore(service: service, hub: events, folder: store.root, run: run)
    }

    /// Delivers the due documents of the outbox to their sinks, and reports changes.
    ///
    /// An unreadable registry of sinks is reported when the sinks are requested.
    private func deliverWaiting() async {
        let outcomes = await onOwnThread { [sinks] in
            reportedLater { try sinks.outbox() }?.deliver(isDue: true) ?? []
        }
        guard !outcomes.isEmpty else { return }
        events.publish("outbox", "{}", to: .init(outcomes.map(\.owner)))
    }

    /// Continues the jobs during which an earlier run of the host died: captured pages are
    /// delivered.
    ///
    /// A job with a failed delivery waits for its user, like every other job in the spool, unless
    /// an archive's server did not answer.
    ///
    /// It happens once, however often this is called.
    ///
    /// - Returns: the ids of the continued jobs.
    public func resumeLeft() async -> [String] {
        await resumption.result(of: { [store, jobs] in
            let left = await onOwnThread { store.leftByHost() }
            var resumed: [String] = []
            for job in left where await ifStillThere({ try await jobs.resume(job) }) != nil {
                resumed.append(job.id)
            }
            return resumed
        })
    }

    /// The state of a job; nil when there is none with that name.
    ///
    /// A client that waited for the host's restart may ask before the host has continued the job.
    func status(ofJob id: String) async -> JobStatus? {
        if let status = jobs.status(id) { return status }
        _ = await resumeLeft()
        return jobs.status(id)
    }

    /// Reports changes of devices and of the archive by any process, sends keep-alive messages, and
    /// delivers due documents, until the task is canceled.
    public func watch() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [events, clock] in
                while !Task.isCancelled {
                    await clock.pause(for: .seconds(15))
                    events.beat()
                }
            }
            group.addTask { [self] in
                while !Task.isCancelled {
                    await deliverWaiting()
                    await clock.pause(for: .seconds(30))
                }
            }
            group.addTask { [store, jobs, clock] in
                await AwaitedArchives(store: store, jobs: jobs, clock: clock).watch()
            }
            group.addTask { [self] in await reportArchive() }
            if Archive.isShared(archivePlace) {
                group.addTask { [self] in
                    await ArrivalWatch(archivePlace, self, clock: clock).watch()
                }
            }
            group.addTask { [host, events] in
                for await event in host.followDevices(every: .seconds(60)) {
                    Self.publish(event, to: events)
                }
            }
        }
    }

    /// Reports a device's event, if it is for clients.
    static func publish(_ event: DeviceEvent, to hub: EventHub) {
        guard let event = DeviceEventJSON(event)?.cleaned(PublicView.words) else { return }
        hub.publish("device", json: event)
    }

    /// Reports changes of the archive to those who see them, at most one per second.
    private func reportArchive() async {
        let changes = FolderChanges(seesWrites: true)
        var known: ArchiveStamp?
        var told: ToldChanges?
        while !Task.isCancelled {
            // The watch begins before the archive is examined, so that no change is missed between
            // the two.
            let isWatched = changes.watch([archiveFolder])
            let now = await repeatedSoon { [known, told] in
                try await archive.with(.ofThisProcess) { archive in
                    let stamp = try archive.stamp()
                    var news = told
                    let owners = stamp == known ? [] : try archive.ownersOfChanges(since: &news)
                    return (stamp, news, owners)
                }
            }
            if let (stamp, news, owners) = now {
                if let known, known != stamp { events.publish("archive", "{}", to: .init(owners)) }
                (known, told) = (stamp, news)
            }
            await clock.pause(for: .seconds(1))
            // Without an archive, there is no folder that the system could watch.
            if isWatched { await changes.wait(atMost: 3600) }
        }
    }
}
