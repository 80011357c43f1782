public import CaptureHost
import CaptureKit
import Delivery
import ExpectedFailures
import Synchronization

/// The settings for watching a scanner.
public struct ScannerWatchPlan: Sendable {
    /// The order of every job; `{n}` in an output stands for the job's number.
    public var order: ScanOrder
    /// The watch ends when no job began for this long; nil for never.
    public var idle: Duration?
    /// True when only ``ScannerWatchControl/scanNow()`` starts a job.
    public var isManual: Bool

    /// A plan for jobs like `order`.
    public init(_ order: ScanOrder, idle: Duration? = nil, isManual: Bool = false) {
        self.order = order
        self.idle = idle
        self.isManual = isManual
    }
}

/// An event during the watch of a scanner.
public enum ScannerWatchEvent: Sendable {
    /// The scanner is open, and the watch waits for the start of a job; `sensors` are the names of
    /// its options.
    case waiting(name: String, sensors: [String])
    /// A job begins.
    case triggered(ScanTrigger, job: Int)
    /// An event of a job.
    case scan(ScanEvent)
    /// A job is over.
    case ended(job: Int, ScanOutcome)
    /// A job could not start; the watch continues.
    case refused(job: Int, any Error)
    /// The scanner is gone; the watch waits for it.
    case lost(HostError)
    /// The scanner is back.
    case back
}

/// Ends a watch, and starts jobs manually.
public final class ScannerWatchControl: Sendable {
    private struct State {
        var isStopped = false
        var isWanted = false
        var job: ScanControl?
    }

    private let state = Mutex(State())

    /// A control for one watch.
    public init() {}

    /// Ends the watch; a running job is stopped, and its pages so far are delivered.
    public func stop() {
        let job = state.withLock { state in
            state.isStopped = true
            return state.job
        }
        job?.stop()
    }

    /// Starts a job, as a press of the button would; without effect while one runs.
    public func scanNow() { state.withLock { $0.isWanted = $0.job == nil } }

    /// True once ``stop()`` was called.
    public var isStopped: Bool { state.withLock(\.isStopped) }

    func takeWish() -> Bool {
        state.withLock { state in
            defer { state.isWanted = false }
            return state.isWanted
        }
    }

    /// The control of a job that begins.
    func begin() -> ScanControl {
        let control = ScanControl()
        let isStopped = state.withLock { state in
            state.job = control
            return state.isStopped
        }
        if isStopped { control.stop() }
        return control
    }

    func end() { state.withLock { $0.job = nil } }
}

extension ScanService {
    /// Watches a scanner, and runs a job whenever its button is pressed or paper is put into its
    /// feeder.
    ///
    /// The watch continues after every job, even a failed one, and after the scanner was unplugged
    /// and returned. It ends with ``ScannerWatchControl/stop()`` or after
    /// ``ScannerWatchPlan/idle``.
    ///
    /// - Returns: the number of jobs that delivered something.
    /// - Throws: ``HostError`` when the scanner can't be opened at the beginning; `unsupported`
    ///   when it has neither a button nor a sensor for paper.
    public func watch(
        scanner device: ListedDevice, _ plan: ScannerWatchPlan, control: ScannerWatchControl,
        onEvent: @escaping @Sendable (ScannerWatchEvent) -> Void
    ) async throws -> Int {
        try await ScannerWatch(
            service: self, device: device, plan: plan, control: control, clock: waitingClock,
            onEvent: onEvent
        ).run()
    }
}

/// A running watch.
private struct ScannerWatch {
    /// The time between two readings of the sensors.
    ///
    /// SANE has no events, so the options are read again and again.
    static let reading = Duration.milliseconds(500)
    /// The time between two attempts to find a lost scanner.
    ///
    /// A scanner on a network sends no event when it is back.
    static let looking = Duration.seconds(2)

    let service: ScanService
    let device: ListedDevice
    let plan: ScannerWatchPlan
    let control: ScannerWatchControl
    let clock: any Clock<Duration>
    let onEvent: @Sendable (ScannerWatchEvent) -> Void

    /// The reason why a wait ended.
    private enum Answer {
        case trigger(ScanTrigger, source: String?)
        case over
    }

    func run() async throws -> Int {
        let numbering = OutputNumbering(plan.order.outputs)
        var (job, delivered) = (0, 0)
        var open: OpenDevice? = try await service.open(device)
        while let scanner = open {
            do {
                let answer = try await wait(scanner)
                await scanner.close()
                guard case .trigger(let trigger, let source) = answer else { return delivered }
                job = numbering.firstFree(from: job + 1)
                onEvent(.triggered(trigger, job: job))
                if await scan(&job, numbering, source) { delivered += 1 }
                if control.isStopped { return delivered }
                open = try await service.open(device)
            } catch let error as HostError where error.code != HostError.Code(.unsupported) {
                await scanner.close()
                onEvent(.lost(error))
                open = try await reopened()
                if open != nil { onEvent(.back) }
            } catch {
                await scanner.close()
                if error is CancellationError { return delivered }
                throw error
            }
        }
        return delivered
    }

    /// Reads the sensors until one of them starts a job.
    private func wait(_ scanner: OpenDevice) async throws -> Answer {
        var edges = SensorEdges()
        var options = try await scanner.options()
        let sensors = plan.isManual ? [] : SensorEdges.sensors(options).map(\.name)
        if sensors.isEmpty && !plan.isManual {
            throw HostError(
                HostError.Code(.unsupported),
                "'\(device.descriptor.name)' has neither a button nor a sensor for paper that could be watched",
                advice:
                    "Start jobs by hand with --manual, or scan with: copystand scan --wait-for-paper"
            )
        }
        onEvent(.waiting(name: device.descriptor.name, sensors: sensors))
        var waited = Duration.zero
        while !control.isStopped {
            let sensed = plan.isManual ? nil : edges.read(options)
            let trigger = control.takeWish() ? .hand : sensed
            if let trigger { return .trigger(trigger, source: source(for: trigger, options)) }
            if let idle = plan.idle, waited >= idle { return .over }
            try await clock.sleep(for: Self.reading)
            waited += Self.reading
            options = try await scanner.options()
        }
        return .over
    }

    /// The source of a job: where the paper is, unless the order names one.
    private func source(for trigger: ScanTrigger, _ options: [DeviceOption]) -> String? {
        let isOrdered =
            plan.order.common.source != nil
            || plan.order.settings.contains { $0.option == "source" }
        guard !isOrdered, let source = options.first(where: { $0.name == "source" }),
            case .choice(let choices) = source.type
        else { return nil }
        if trigger != .paper { return choices.contains("auto") ? "auto" : nil }
        if case .text(let now) = source.value, now.hasPrefix("feeder") { return nil }
        return choices.first { $0.hasPrefix("feeder") }
    }

    /// Runs a job under the first number whose names are free; true when it delivered something.
    private func scan(
        _ job: inout Int, _ numbering: OutputNumbering, _ source: String?
    ) async -> Bool {
        var order = plan.order
        order.sources = [device.id]
        if let source { order.common.source = source }
        defer { control.end() }
        while true {
            order.outputs = numbering.outputs(job)
            do {
                let outcome = try await service.run(order, control: control.begin()) {
                    onEvent(.scan($0))
                }
                onEvent(.ended(job: job, outcome))
                return !outcome.receipts.isEmpty
            } catch let error as DeliveryError where error.code == .alreadyExists && job < 1_000_000
            {
                // Documents with one file per page have further names that may be in use.
                job = numbering.firstFree(from: job + 1)
            } catch {
                onEvent(.refused(job: job, error))
                return false
            }
        }
    }

    /// Waits for the scanner to return; nil when the watch ends before that.
    private func reopened() async throws -> OpenDevice? {
        var waited = Duration.zero
        while !control.isStopped {
            if let idle = plan.idle, waited >= idle { return nil }
            try await clock.sleep(for: Self.looking)
            waited += Self.looking
            if let open = await repeatedSoon({ try await service.open(device) }) { return open }
        }
        return nil
    }
}
