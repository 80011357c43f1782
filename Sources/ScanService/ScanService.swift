public import CaptureHost
import CaptureKit
import Delivery
import Detection
import Documents
import FoundationEssentials
public import Processing
public import Recognition

/// The running host: takes an order from its devices to its receipts, and resumes what was interrupted.
///
///     let service = ScanService(host: host, store: .standard(environment: environment), recogniser: pool, workers: 2)
///     let outcome = try await service.run(order, control: ScanControl()) { print($0) }
///
/// Nothing is captured before every part of the order has been checked: the profile, the settings' names, the outputs. Each page is
/// on the disk before anything else is done with it, and stays there until every sink has the document.
public struct ScanService: Sendable {
    private let host: CaptureHost
    private let store: JobStore
    private let profiles: ProfileLibrary
    private let recogniser: any TextRecogniser
    private let concurrency: Int
    private let now: @Sendable () -> Date
    private let search: @Sendable (Profile.Target) -> any PageDetector

    /// A service over a host's devices.
    ///
    /// - Parameters:
    ///   - recogniser: reads the pages of profiles that have text.
    ///   - workers: how many pages `recogniser` reads at once; memory grows with it, not with the number of pages.
    public init(
        host: CaptureHost, store: JobStore, profiles: ProfileLibrary,
        recogniser: any TextRecogniser, workers: Int
    ) {
        self.init(
            host: host, store: store, profiles: profiles, recogniser: recogniser, workers: workers,
            search: { PageSearch(for: $0) })
    }

    /// A service whose live frames are searched by something else, as tests do to spare the time.
    init(
        host: CaptureHost, store: JobStore, profiles: ProfileLibrary,
        recogniser: any TextRecogniser, workers: Int,
        search: @escaping @Sendable (Profile.Target) -> any PageDetector
    ) {
        self.search = search
        self.host = host
        self.store = store
        self.profiles = profiles
        self.recogniser = recogniser
        concurrency = PagePipeline.concurrency(workers: workers)
        now = { Date() }
    }

    /// Captures, processes and delivers what was ordered.
    ///
    /// - Throws: what was refused before anything was captured: ``ProfileError``, ``DeliveryError``, ``HostError``, ``JobError``.
    ///   Whatever goes wrong later is told in the outcome.
    public func run(
        _ order: ScanOrder, control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> ScanOutcome {
        try await begin(order, control, onEvent) { _, folder in
            let devices = try await devices(of: order, spool: folder)
            let isRereadable = devices.allSatisfy {
                $0.descriptor.kind == .files && !$0.id.contains(folder)
            }
            let feed = DeviceFeed(
                host: host, devices: devices, order: order, spool: folder,
                window: devices.allSatisfy { $0.descriptor.kind == .files }
                    ? concurrency + 2 : nil)
            return (
                feed,
                JobRecord(order: order, devices: devices.map(\.id), isRereadable: isRereadable)
            )
        }
    }

    /// Watches a camera or a recording, captures page after page, and processes and delivers them at the end.
    ///
    /// The end comes with ``LiveControl/scan``'s stop, the order's limit, ``LiveOptions/idle``, or that of a recording; all of them are regular ends. While a
    /// camera is gone, it is waited for.
    ///
    /// - Parameters:
    ///   - device: the camera or recording; the order's sources are for the record.
    ///   - onLive: is told what is seen, from any thread.
    /// - Throws: as ``run(_:control:onEvent:)``.
    public func watch(
        _ device: ListedDevice, _ order: ScanOrder, options: LiveOptions, control: LiveControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void,
        onLive: @escaping @Sendable (LiveEvent) -> Void
    ) async throws -> ScanOutcome {
        try await begin(order, control.scan, onEvent) { profile, folder in
            var settings = profile.live
            settings.isManual = options.isManual
            let feed = LiveFeed(
                host: host, device: device, settings: order.settings,
                task: LiveAnalyser.Task(
                    settings: settings, area: LiveArea(profile.looksFor, search: search),
                    spool: SpoolFolder(path: folder), limit: order.limit,
                    idle: options.idle.map { $0 / .seconds(1) },
                    isRecording: device.descriptor.kind == .files, control: control,
                    onLive: onLive))
            return (feed, JobRecord(order: order, devices: [device.id], isRereadable: false))
        }
    }

    /// Begins the deliveries and the job's folder, and runs the feed that `make` makes for it.
    private func begin(
        _ order: ScanOrder, _ control: ScanControl,
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void,
        _ make: (Profile, _ folder: String) async throws -> (any PageFeed, JobRecord)
    ) async throws -> ScanOutcome {
        let profile = try profile(for: order)
        let delivering = try begin(order, onEvent)
        do {
            let folder = try store.create(at: now())
            do {
                let (feed, record) = try await make(profile, folder.path)
                try record.write(to: folder.path)
                return try await run(
                    feed, profile, delivering, folder, record, onEvent)(control)
            } catch {
                folder.remove()
                throw error
            }
        } catch {
            await delivering.cancel()
            throw error
        }
    }

    /// Delivers the pages of an interrupted job, or reads them again where they came from.
    ///
    /// - Parameter outputs: where to instead of where the order says; empty for the order's own.
    /// - Throws: as ``run(_:control:onEvent:)``; the job stays as it was then.
    public func resume(
        _ job: StoredJob, outputs: [String], control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> ScanOutcome {
        let folder = try JobFolder(path: job.folder)
        var record = try JobRecord.read(from: job.folder)
        if !outputs.isEmpty { record.order.outputs = outputs }
        let profile = try profile(for: record.order)
        let delivering = try begin(record.order, onEvent)
        do {
            let spool = SpoolFolder(path: folder.path)
            try spool.removeUnfinished()
            let feed: any PageFeed
            if record.isRereadable {
                for page in try spool.pages() { page.discard() }
                feed = DeviceFeed(
                    host: host, devices: try await find(record.devices), order: record.order,
                    spool: folder.path, window: concurrency + 2)
            } else {
                feed = SpoolFeed(
                    pages: try spool.pages(), device: record.devices.first ?? "spool")
            }
            return try await run(
                feed, profile, delivering, folder, record, onEvent)(control)
        } catch {
            await delivering.cancel()
            throw error
        }
    }

    private func run(
        _ feed: any PageFeed, _ profile: Profile, _ delivering: Delivering, _ folder: JobFolder,
        _ record: JobRecord, _ onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) -> (ScanControl) async throws -> ScanOutcome {
        let run = ScanRun(
            feed: feed, pipeline: PagePipeline(profile: profile, recogniser: recogniser),
            delivering: delivering, folder: folder, isRereadable: record.isRereadable,
            area: record.order.area, concurrency: concurrency, onEvent: onEvent)
        return { control in try await run.run(control) }
    }

    private func profile(for order: ScanOrder) throws -> Profile {
        var profile = try profiles.load(order.profile)
            .overriding(order.stepChanges, without: order.omittedSteps)
        if !order.languages.isEmpty { profile.text?.languages = order.languages }
        if let text = profile.text { recogniser.prewarm(languages: text.languages) }
        return profile
    }

    private func begin(
        _ order: ScanOrder, _ onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) throws -> Delivering {
        let sinks = try order.outputs.map { try SinkCatalog.kind("file").sink(to: $0) }
        let created = now()
        let title = order.title ?? order.outputs.first.map(Self.title) ?? "Scan"
        return try Delivering(
            sinks, DocumentInfo(title: title, created: created.timeIntervalSince1970)
        ) { onEvent(.undelivered($0)) }
    }

    /// A file's name without its folder and ending.
    private static func title(_ path: String) -> String {
        let name = path.lastComponent
        return name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    }

    private func devices(of order: ScanOrder, spool: String) async throws -> [ListedDevice] {
        guard !order.sources.isEmpty else { return [try await host.find(nil)] }
        var names: [String] = []
        for source in order.sources {
            names.append(
                source == "-" ? "file:" + (try await spoolStandardInput(in: spool)) : source)
        }
        return try await find(names)
    }

    private func find(_ names: [String]) async throws -> [ListedDevice] {
        var devices: [ListedDevice] = []
        for name in names { devices.append(try await host.find(name)) }
        return devices
    }
}
