import Archive
public import CaptureHost
import CaptureKit
public import Delivery
import Detection
import Documents
import ExpectedFailures
import FoundationEssentials
public import Imaging
import JobOptions
public import Processing
public import Recognition
import WorkQueue

/// The running host: processes orders from the devices to the receipts, and resumes interrupted
/// jobs.
///
///     let service = ScanService(
///         host: host, store: .standard(environment: environment), recognizer: pool, workers: 2)
///     let outcome = try await service.run(order, control: ScanControl()) { print($0) }
///
/// Nothing is captured before every part of the order has been checked: the profile, the settings'
/// names, the outputs. Each page is on the disk before anything else is done with it, and stays
/// there until every sink has the document.
public struct ScanService: Sendable {
    let host: CaptureHost
    private let store: JobStore
    private let profiles: ProfileLibrary
    private let recognizer: any TextRecognizer
    let holding: HoldingLimit
    let namedSink: @Sendable (String) throws -> any Sink
    let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    let search: @Sendable (Profile.Target) -> any PageDetector
    /// Gives each job exclusive use of its devices.
    var queue = DeviceQueue()
    /// True for the service of a host, whose jobs continue when the host restarts.
    private var isHost = false

    /// A service over a host's devices.
    ///
    /// - Parameters:
    ///   - recognizer: reads the pages of profiles that have text.
    ///   - workers: the maximum number of pages that `recognizer` reads at once. Memory grows with
    ///     this number, not with that of the job's pages.
    ///   - namedSink: returns the sink for a name in an order's ``ScanOrder/sinks``.
    public init(
        host: CaptureHost, store: JobStore, profiles: ProfileLibrary,
        recognizer: any TextRecognizer, workers: Int,
        namedSink: @escaping @Sendable (String) throws -> any Sink
    ) {
        self.init(
            host: host, store: store, profiles: profiles, recognizer: recognizer, workers: workers,
            clock: ContinuousClock(), search: { PageSearch(for: $0) }, namedSink: namedSink)
    }

    /// A service with another search for pages in live frames, and another clock for its waits, for
    /// tests.
    init(
        host: CaptureHost, store: JobStore, profiles: ProfileLibrary,
        recognizer: any TextRecognizer, workers: Int,
        clock: any Clock<Duration> = ContinuousClock(),
        search: @escaping @Sendable (Profile.Target) -> any PageDetector = { PageSearch(for: $0) },
        namedSink: @escaping @Sendable (String) throws -> any Sink
    ) {
        self.search = search
        self.host = host
        self.store = store
        self.profiles = profiles
        self.recognizer = recognizer
        holding = .pages(workers: workers)
        now = { Date() }
        self.clock = clock
        queue.clock = clock
        self.namedSink = namedSink
    }

    /// The service for a host: if the host dies, ``JobStore/leftByHost()`` returns its unfinished
    /// jobs.
    public func ofHost() -> ScanService {
        var service = self
        service.isHost = true
        return service
    }

    /// Captures, processes and delivers an order.
    ///
    /// When the capture ends early, the document so far is delivered, and the job can be continued;
    /// see ``ScanOutcome/continuation``.
    ///
    /// - Parameter files: files that become the job's own, and are read in addition to the order's
    ///   sources; they must be on the same disk as the spool.
    /// - Throws: an error before the capture: ``ProfileError``, ``DeliveryError``, ``HostError``,
    ///   ``JobError``. Later problems are reported in the outcome.
    public func run(
        _ order: ScanOrder, adopting files: [AdoptedFile] = [], control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> ScanOutcome {
        try checkSomebodyTurns(order, control)
        try order.checkLeaving()
        // The device is found and opened while the rest of the order is checked; standard input and
        // adopted files go into the job's folder first.
        let opening =
            order.sources.contains { StreamedInput(source: $0) != nil } || !files.isEmpty
            ? nil : Task { try await open(order.sources) }
        var found: [ListedDevice] = []
        let result: Result<ScanOutcome, any Error>
        do {
            result = .success(
                try await begin(
                    order, files, control: control, onEvent: onEvent, opening: opening,
                    found: &found))
        } catch { result = .failure(error) }
        // A device that was opened but not used by the job becomes free for others again.
        for device in found { await host.release(device) }
        if found.isEmpty, let opening {
            Task {
                let opened = await ifStillThere { try await opening.value }
                for device in opened ?? [] { await host.release(device) }
            }
        }
        return try result.get()
    }

    private func begin(
        _ order: ScanOrder, _ files: [AdoptedFile], control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void,
        opening: Task<[ListedDevice], any Error>?, found: inout [ListedDevice]
    ) async throws -> ScanOutcome {
        try await begin(order, control, onEvent: onEvent) { _, folder in
            var skipped: [SkippedPage] = []
            let devices: [ListedDevice]
            if let opening {
                devices = try await opening.value
            } else {
                let taken = try await take(order, files, in: folder, control: control)
                skipped = taken.skipped
                devices = try await open(taken.sources)
            }
            found = devices
            let areFiles = devices.allSatisfy { $0.descriptor.kind == .files }
            if areFiles, order.options[.processing] != .here { throw ScanOrder.filesRefusal }
            let isRereadable = areFiles && devices.allSatisfy { !$0.id.contains(folder) }
            var record = JobRecord(
                order, devices.map(\.id), isRereadable: isRereadable, at: now())
            record.readsFiles = areFiles
            return (
                record,
                { [skipped] ledger, beginning in
                    SkippingFeed(
                        skipped: skipped,
                        feed: feed(
                            order, devices, spool: folder, ledger: ledger, beginning: beginning,
                            earlier: [], control: control))
                }
            )
        }
    }

    /// Makes a job's folder, and runs the feed that `make` makes for it.
    func begin(
        _ order: ScanOrder, _ control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void,
        make: (Profile, _ folder: String) async throws -> (
            JobRecord, (JobLedger, JobBeginning) -> any PageFeed
        )
    ) async throws -> ScanOutcome {
        let profile = try profile(for: order)
        store.prune(at: now())
        let folder = try store.create(at: now())
        do {
            let (made, makeFeed) = try await make(profile, folder.path)
            var record = made
            record.order.user = record.order.user ?? .ofThisProcess
            // A resumed job is split as ordered, whatever happened to the profile.
            if record.order.options[.splitAt].isEmpty {
                record.order.options[.splitAt] = profile.splitAt
            }
            let ledger = JobLedger(record, in: folder.path)
            let feed = makeFeed(ledger, JobBeginning(ledger))
            onEvent(.began(job: folder.id))
            return try await run(
                feed, profile, ledger: ledger, folder: folder, control: control, onEvent: onEvent)
        } catch {
            // Captured pages stay, whatever failed afterward.
            if folder.holdsNothing { folder.remove() } else { folder.release() }
            throw error
        }
    }

    /// The feed of a job's devices, after the pages it has already.
    func feed(
        _ order: ScanOrder, _ devices: [ListedDevice], spool: String, ledger: JobLedger,
        beginning: JobBeginning?, earlier: [FedPage], control: ScanControl
    ) -> any PageFeed {
        let window =
            devices.allSatisfy { $0.descriptor.kind == .files } ? holding.most + 2 : nil
        // If two files are collated, one has the fronts and the other the backs.
        let hasSides = order.hasFilesOfSides
        let makeFeed = { @Sendable [host, queue, clock] (start: DeviceFeed.Start, limit: Int?) in
            let devices =
                !hasSides
                ? devices : Array(start.side == .backs ? devices.suffix(1) : devices.prefix(1))
            var order = order
            order.options[.pages] = limit
            return DeviceFeed(
                host: host, queue: queue, devices: devices, order: order, spool: spool,
                window: window, start: start, beginning: beginning, clock: clock)
        }
        let further = { (start: DeviceFeed.Start) -> any PageFeed in
            guard order.options[.asksForMore], let asks = control.end else {
                return makeFeed(start, order.options[.pages])
            }
            return RepeatedFeed(
                start: start, limit: order.options[.pages], ledger: ledger, asks: asks,
                makeFeed: makeFeed)
        }
        if order.options[.collates] {
            return CollatingFeed(
                earlier: earlier.sorted { $0.captured.number < $1.captured.number },
                ledger: ledger,
                turnStack: order.options[.waitsForPaper] || hasSides ? nil : control.turnStack,
                makeFeed: { makeFeed($0, order.options[.pages]) })
        }
        guard let last = earlier.map(\.captured.number).max() else {
            return further(DeviceFeed.Start())
        }
        let sheets = ledger.record.arranged(earlier.map(\.captured.asCaptured)).sheetsBefore
        return ContinuedFeed(
            earlier: earlier, further: further(DeviceFeed.Start(page: last + 1, sheets: sheets)))
    }

    func run(
        _ feed: any PageFeed, _ profile: Profile, ledger: JobLedger, folder: JobFolder,
        control: ScanControl, onEvent: @escaping @Sendable (ScanEvent) -> Void,
        extent: ScanRun.Extent = .whole, claim: ClaimedJob? = nil
    ) async throws -> ScanOutcome {
        defer { folder.release() }
        let mark = HostMark(folder: folder.path)
        if isHost { mark.leave() }
        defer { mark.clear() }
        let explaining = try ledger.record.order.explanation.map { try ExplainFolder(path: $0) }
        let linked = try SpoolFolder(path: folder.path).pages().filter { $0.room > 0 }.map(\.pixels)
        let leaving = leavingSink(ledger, profile)
        // Workers apply the profile, so the pages are only passed on.
        let splitting =
            try leaving == nil
            ? Splitting(ledger.record.order, profile) : Splitting.nowhere
        let delivering = try BatchDelivering(splitting, ledger, onEvent: onEvent) {
            place, purpose in
            try begin(
                place, purpose, profile: profile, ledger: ledger, job: folder.id, linked: linked,
                leaving: leaving,
                claim: claim.map { LeftJobClaim($0, isLastDocument: splitting.rules.isEmpty) },
                onEvent: onEvent)
        }
        do {
            return try await ScanRun(
                feed: feed,
                pipeline: try pipeline(for: splitting.profile, explaining: explaining),
                delivering: delivering, folder: folder, ledger: ledger,
                extent: extent, work: claim != nil ? .claimed : leaving != nil ? .left : .own,
                area: leaving == nil ? ledger.record.order.area : nil,
                holding: holding, onEvent: onEvent
            ).run(control)
        } catch {
            await delivering.cancel()
            throw error
        }
    }

    /// The pipeline that takes pages through a profile, with the reader that it names.
    func pipeline(for profile: Profile, explaining: ExplainFolder? = nil) throws -> PagePipeline {
        PagePipeline(
            profile: profile,
            recognizer: try profile.text.map { try recognizer.reader($0.reader) } ?? recognizer,
            explaining: explaining)
    }

    /// The result of a profile's steps for a picture, only for showing it: no text is read, and
    /// nothing is stored.
    ///
    /// - Returns: at least one page.
    /// - Throws: `CancellationError`.
    public func look(of picture: Raster, in profile: Profile) async throws -> [ProcessedPage] {
        var steps = profile
        steps.text = nil
        return try await pipeline(for: steps).process(
            PageInput(image: picture, provenance: Provenance(device: "preview")))
    }

    func checkSomebodyTurns(_ order: ScanOrder, _ control: ScanControl) throws {
        guard order.options[.collates], !order.options[.waitsForPaper], !order.hasFilesOfSides,
            control.turnStack == nil
        else { return }
        throw JobError(
            .nobodyToAsk,
            "Between the fronts and the backs the stack must be turned over, and there is no terminal to ask for that. "
                + "With --wait-for-paper the backs are scanned as soon as the turned stack is in the feeder."
        )
    }

    func profile(for order: ScanOrder) throws -> Profile {
        var profile = try profiles.load(order.profile)
            .overriding(order.stepChanges, without: order.omittedSteps)
        let languages = order.options[.languages]
        if !languages.isEmpty { profile.text?.languages = languages }
        // The reader of a worker need not be on this machine.
        if order.leavingPlace == nil { try prewarm(profile) }
        return profile
    }

    /// Prepares a profile's reader.
    ///
    /// - Throws: `RecognitionError` `readerMissing`.
    func prewarm(_ profile: Profile) throws {
        guard let text = profile.text else { return }
        try recognizer.reader(text.reader).prewarm(languages: text.languages)
    }

    /// The devices of an order's sources, or the default device without sources; a single device is
    /// also opened.
    private func open(_ sources: [String]) async throws -> [ListedDevice] {
        do { return try await find(sources, opens: true) } catch let error as HostError
            where error.code == HostError.Code(.busy)
        {
            // Another job has the device; the feed waits for its end.
            guard let found = await ifStillThere({ try await find(sources) }),
                found.allSatisfy({ isInUse($0.id) })
            else { throw error }
            return found
        }
    }

    func find(_ names: [String], opens: Bool = false) async throws -> [ListedDevice] {
        guard !names.isEmpty else { return [try await host.find(nil, opens: opens)] }
        var devices: [ListedDevice] = []
        // Several scanners are opened one after the other, each before its capture.
        for name in names {
            devices.append(try await host.find(name, opens: opens && names.count == 1))
        }
        return devices
    }

    // MARK: Without a job

    /// The clock for waiting for devices.
    var waitingClock: any Clock<Duration> { clock }

    /// The time now, in seconds since 1970.
    var startTime: Double { now().timeIntervalSince1970 }

    /// The device of that name; the default one for nil.
    func find(device name: String?) async throws -> ListedDevice { try await host.find(name) }

    /// Opens a device.
    func open(_ device: ListedDevice) async throws -> OpenDevice { try await host.open(device) }
}
