public import CaptureHost
public import Delivery
public import Processing
public import ScanService

/// What the routes work with: the rooms of the host that runs.
public struct House: Sendable {
    let host: CaptureHost
    let store: JobStore
    let profiles: ProfileLibrary
    let outbox: OutboxStore
    let archive: OpenArchive
    /// Where a scan goes that names no sink: an output as `ScanOrder` takes it.
    let defaultOutput: String
    /// The names of the sinks there are.
    let sinks: @Sendable () throws -> [String]
    /// Names this run of the host.
    let run: String
    let jobs: JobRunner
    let events: EventHub
    let uploads: Uploads

    /// A house of these rooms.
    ///
    /// - Parameters:
    ///   - run: names this run of the host in the numbers of its events.
    ///   - sinks: the names of the sinks there are.
    public init(
        host: CaptureHost, service: ScanService, store: JobStore, profiles: ProfileLibrary,
        outbox: OutboxStore, archiveFolder: String, defaultOutput: String, run: String,
        sinks: @escaping @Sendable () throws -> [String]
    ) {
        self.host = host
        self.store = store
        self.profiles = profiles
        self.outbox = outbox
        archive = OpenArchive(folder: archiveFolder)
        self.defaultOutput = defaultOutput
        self.sinks = sinks
        self.run = run
        uploads = Uploads(root: store.root, run: run)
        events = EventHub(run: run)
        jobs = JobRunner(service: service, hub: events)
    }

    /// Tells of devices that come and go, and that the host lives, until the task is cancelled.
    public func watch() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [events] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(15))
                    events.beat()
                }
            }
            group.addTask { [host, events] in
                for await event in host.followDevices(every: .seconds(60)) {
                    if let text = DeviceRoutes.text(of: event) { events.publish("device", text) }
                }
            }
        }
    }
}
