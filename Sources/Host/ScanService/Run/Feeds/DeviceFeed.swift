import CaptureHost
import CaptureKit
import Delivery
import JobOptions
import Synchronization

/// Captures from devices, one after another, into the job's spool.
final class DeviceFeed: PageFeed {
    private struct State {
        var isStopped = false
        var capturing: OpenDevice?
    }

    private let host: CaptureHost
    private let queue: DeviceQueue
    private let devices: [ListedDevice]
    private let order: ScanOrder
    private let spool: String
    private let window: Int?
    private let start: Start
    /// The task that writes the job's record, which must be on the disk before any page; nil when
    /// the record already exists.
    private let beginning: JobBeginning?
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// The start of a feed within its job.
    struct Start: Sendable {
        /// The number of the feed's first page in the spool.
        var page = 1
        /// The number of sheets that were scanned before.
        var sheets = 0
        /// True if paper that is in the feeder at the beginning is scanned; false if it is the
        /// stack that was just scanned.
        var isNewPaper = true
        /// The sides that the feed captures.
        var side = CaptureRun.Side.asTheyCome
    }

    /// A feed of `devices` into the folder `spool`.
    ///
    /// - Parameters:
    ///   - window: the maximum number of pages in the spool before the pipeline; nil for no limit.
    ///   - beginning: the record that must be on the disk before the first page; nil for none.
    ///   - clock: the clock for waits for paper.
    init(
        host: CaptureHost, queue: DeviceQueue = DeviceQueue(), devices: [ListedDevice],
        order: ScanOrder, spool: String, window: Int?,
        start: Start = Start(), beginning: JobBeginning? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.host = host
        self.queue = queue
        self.devices = devices
        self.order = order
        self.spool = spool
        self.window = window
        self.start = start
        self.beginning = beginning
        self.clock = clock
    }

    func stop() {
        let capturing = state.withLock { state in
            state.isStopped = true
            return state.capturing
        }
        if let capturing { Task { await capturing.cancelCapture() } }
    }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        var place = CapturePlace(next: start.page)
        for (index, device) in devices.enumerated() {
            place.begin(devicesLeft: devices.count - index - 1)
            do {
                try checkStopped()
                try await capture(device, &place, onEvent: onEvent, take: take)
            } catch let error where devices.count > 1 && isOfOneDevice(error) {
                // With several files, a problem with one does not stop the next.
                onEvent(
                    .skipped(SkippedPage(label: device.descriptor.name, error: captureError(error)))
                )
            }
        }
    }

    /// False for a problem of every device: the job was stopped, or a setting is wrong.
    private func isOfOneDevice(_ error: any Error) -> Bool {
        guard !(error is CancellationError) else { return false }
        let code = (error as? HostError)?.code
        return code != .noSuchOption && code != .invalidValue
    }

    /// Captures from a device.
    ///
    /// A file that crashes its backend is left out, and the capture continues after it.
    private func capture(
        _ listed: ListedDevice, _ place: inout CapturePlace,
        onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        var bad = BadInput()
        var run = Capturing(limit: order.options[.pages])
        let patience = order.options[.pageTimeout]
        while true {
            do {
                return try await captureOnce(
                    listed, &place, run: &run, onEvent: onEvent, take: take)
            } catch let error as HostError
                where listed.descriptor.kind == .files && BadInput.isMeant(by: error)
            {
                try checkStopped()
                guard let reading = run.reading else {
                    throw HostError(
                        BadInput.problem(error, listed.descriptor.name, patience: patience),
                        backend: error.backend)
                }
                let (skipped, after) = bad.take(error, reading, patience: patience)
                run.after = after
                run.reading = nil
                for page in skipped { onEvent(.skipped(page)) }
                // The number of an unfinished page is not used again.
                place.next = max(place.next, run.begun + 1)
                if run.limit == 0 { return }
            }
        }
    }

    /// The request of a capture, and its progress.
    private struct Capturing {
        /// The maximum number of pages; nil for no limit.
        var limit: Int?
        /// The place where the capture continues; nil for the start.
        var after: String?
        /// The place that was read last.
        var reading: ReadingPlace?
        /// The number of the last page that was begun.
        var begun = 0
    }

    private func captureOnce(
        _ listed: ListedDevice, _ place: inout CapturePlace, run: inout Capturing,
        onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let claim = try await queue.claim(
            listed, isStopped: { [self] in state.withLock(\.isStopped) }, onEvent: onEvent)
        defer { withExtendedLifetime(claim) {} }
        let device = try await host.open(listed)
        do {
            let name = listed.descriptor.name
            if run.after == nil {
                onEvent(.opened(device: listed.id, name: name, kind: listed.descriptor.kind))
            }
            try await DeviceSetup(order: order, side: start.side, onEvent: onEvent)
                .apply(to: device, name)
            try await beginning?.isRecorded()
            let wait = PaperWait(clock: clock) { [self] in state.withLock(\.isStopped) }
            var tries = false
            if order.options[.waitsForPaper] {
                onEvent(.waitingForPaper(device: name))
                tries =
                    try await wait.paper(in: device, hasBeenEmpty: start.isNewPaper) == .unknown
            }
            while true {
                let first = place.next
                do {
                    try await pages(
                        of: device, listed, place: &place, run: &run, onEvent: onEvent, take: take)
                    break
                } catch let error as HostError
                    where tries && place.next == first && error.code == HostError.Code(.feederEmpty)
                {
                    state.withLock { $0.capturing = nil }
                    try await wait.pause(PaperWait.trying)
                }
            }
            try checkStopped()
        } catch {
            run.reading = device.reading
            await device.close()
            throw error
        }
        await device.close()
    }

    private func pages(
        of device: OpenDevice, _ listed: ListedDevice, place: inout CapturePlace,
        run: inout Capturing, onEvent: @Sendable (ScanEvent) -> Void,
        take: @Sendable (FedPage) -> Void
    ) async throws {
        let begun = SourceFile.now
        // The job does not store the password, so its files could not be read again.
        let needsPassword = order.settings.contains { $0.option == ScanOrder.secretOption }
        var sheets = SheetCount(after: start.sheets)
        var total: Int?
        var label: String?
        let id = listed.id
        let isOfFiles = listed.descriptor.kind == .files
        for try await event in try begin(device, run, isOfFiles: isOfFiles, first: place.next) {
            switch event {
            case .began(let page, let frame):
                (total, label) = (frame.height, sheets.label(frame.label))
                (place.next, run.begun) = (page + 1, page)
                if let pages = place.expected(by: frame.expected ?? order.options[.pages]) {
                    onEvent(.expecting(pages: pages))
                }
                onEvent(.capturing(page: page, label: label, rows: 0, of: total))
            case .progress(let page, let rows):
                onEvent(.capturing(page: page, label: label, rows: rows, of: total))
            case .page(let captured):
                let label = sheets.label(captured.description.label)
                onEvent(.captured(page: captured.number, label: label))
                run.limit = run.limit.map { $0 - 1 }
                let file = SourceFile(device: id, label: label, begun: begun)
                take(
                    FedPage(
                        captured: captured, device: id, label: label,
                        file: needsPassword ? nil : file, origin: file))
            case .skipped(let page, let label, let error):
                place.next = page + 1
                onEvent(.skipped(SkippedPage(label: sheets.label(label), error: error)))
            }
        }
    }

    /// Begins the capture, unless the job was stopped; after that, a stop also stops the device.
    private func begin(
        _ device: OpenDevice, _ run: Capturing, isOfFiles: Bool, first: Int
    ) throws -> AsyncThrowingStream<CaptureEvent, any Error> {
        try state.withLock { state in
            if state.isStopped { throw CancellationError() }
            state.capturing = device
            return device.capture(
                CaptureRequest(limit: run.limit, after: run.after),
                spool: SpoolFolder(path: spool, firstNumber: first), window: window,
                room: SpooledPicture.room,
                patience: isOfFiles
                    ? .seconds(order.options[.pageTimeout]) : nil)
        }
    }

    private func checkStopped() throws {
        if state.withLock(\.isStopped) { throw CancellationError() }
    }
}

/// The position of the capture in a job.
private struct CapturePlace {
    /// The number of the next page in the spool.
    var next: Int
    private var before = 0
    private var devicesLeft = 0

    init(next: Int) { self.next = next }

    mutating func begin(devicesLeft: Int) {
        before = next - 1
        self.devicesLeft = devicesLeft
    }

    /// The number of pages in the whole job if this device gives `pages`, and each later one gives
    /// one.
    func expected(by pages: Int?) -> Int? { pages.map { before + $0 + devicesLeft } }
}
