import CaptureHost
import CaptureKit
import Synchronization

/// A captured page on its way from a source to the pipeline.
struct FedPage: Sendable {
    let captured: CapturedPage
    let device: String
}

/// Where a job's pages come from: devices, or the spool of an interrupted job.
protocol PageFeed: Sendable {
    /// Feeds every page to `take` in order, and returns when there are no more.
    ///
    /// - Throws: what ended the capture early; the pages before it have been fed. `CancellationError` when stopped.
    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws

    /// Ends the feeding soon: pages that are finished are still fed, then ``run(_:take:)`` throws `CancellationError`.
    func stop()
}

/// Captures from devices, one after another, into the job's spool.
final class DeviceFeed: PageFeed {
    private struct State {
        var isStopped = false
        var capturing: OpenDevice?
    }

    private let host: CaptureHost
    private let devices: [ListedDevice]
    private let order: ScanOrder
    private let spool: String
    private let window: Int?
    private let state = Mutex(State())

    /// A feed of `devices` into the folder `spool`.
    ///
    /// - Parameter window: the most pages in the spool that the pipeline has not taken yet; nil for no limit.
    init(
        host: CaptureHost, devices: [ListedDevice], order: ScanOrder, spool: String, window: Int?
    ) {
        self.host = host
        self.devices = devices
        self.order = order
        self.spool = spool
        self.window = window
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
        var place = Place()
        for (index, device) in devices.enumerated() {
            place.begin(devicesLeft: devices.count - index - 1)
            do {
                try checkStopped()
                try await capture(device, &place, onEvent, take)
            } catch let error where devices.count > 1 && isOfOneDevice(error) {
                // Several files were named: what is wrong with one is no reason to leave out the next.
                onEvent(
                    .skipped(SkippedPage(label: device.descriptor.name, error: captureError(error)))
                )
            }
        }
    }

    /// False for what would go wrong with every device: the job was stopped, or a setting is a mistake.
    private func isOfOneDevice(_ error: any Error) -> Bool {
        guard !(error is CancellationError) else { return false }
        let code = (error as? HostError)?.code
        return code != .noSuchOption && code != .invalidValue
    }

    private func capture(
        _ listed: ListedDevice, _ place: inout Place,
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, _ take: @Sendable (FedPage) -> Void
    ) async throws {
        let device = try await host.open(listed)
        do {
            onEvent(.opened(device: listed.id, name: listed.descriptor.name))
            try await device.apply(order.settings, onEvent)
            var total: Int?
            var label: String?
            let events = try begin(device, first: place.next)
            for try await event in events {
                switch event {
                case .began(let page, let frame):
                    (total, label) = (frame.height, frame.label)
                    place.next = page + 1
                    if let pages = place.expected(by: frame.expected ?? order.limit) {
                        onEvent(.expecting(pages: pages))
                    }
                    onEvent(.capturing(page: page, label: label, rows: 0, of: total))
                case .progress(let page, let rows):
                    onEvent(.capturing(page: page, label: label, rows: rows, of: total))
                case .page(let captured):
                    onEvent(.captured(page: captured.number, label: captured.description.label))
                    take(FedPage(captured: captured, device: listed.id))
                case .skipped(let page, let label, let error):
                    place.next = page + 1
                    onEvent(.skipped(SkippedPage(label: label, error: error)))
                }
            }
            try checkStopped()
        } catch {
            await device.close()
            throw error
        }
        await device.close()
    }

    /// Begins the capture, unless the job was stopped; from here on, stopping stops the device.
    private func begin(
        _ device: OpenDevice, first: Int
    ) throws -> AsyncThrowingStream<CaptureEvent, any Error> {
        try state.withLock { state in
            if state.isStopped { throw CancellationError() }
            state.capturing = device
            return device.capture(
                CaptureRequest(limit: order.limit),
                spool: SpoolFolder(path: spool, firstNumber: first), window: window)
        }
    }

    private func checkStopped() throws {
        if state.withLock(\.isStopped) { throw CancellationError() }
    }
}

extension OpenDevice {
    /// Sets what was ordered, and tells where the device took another value.
    func apply(
        _ settings: [ScanOrder.Setting], _ onEvent: @Sendable (ScanEvent) -> Void
    ) async throws {
        for setting in settings {
            let (asked, outcome) = try await set(setting.option, toText: setting.value)
            if let got = outcome.value, !got.isSame(as: asked) {
                onEvent(.adjusted(option: setting.option, asked: setting.value, got: got))
            }
        }
    }
}

extension OptionValue {
    /// Whether both are one value: on the wire a number without a fraction is a whole number.
    fileprivate func isSame(as other: OptionValue) -> Bool {
        switch (self, other) {
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
            Double(whole) == number
        default: self == other
        }
    }
}

/// Where in a job the capturing is.
private struct Place {
    /// The number of the next page in the spool.
    var next = 1
    private var before = 0
    private var devicesLeft = 0

    mutating func begin(devicesLeft: Int) {
        before = next - 1
        self.devicesLeft = devicesLeft
    }

    /// The pages of the whole job when this device gives `pages`, and each that comes after it gives one.
    func expected(by pages: Int?) -> Int? { pages.map { before + $0 + devicesLeft } }
}

/// Feeds the pages that an interrupted job left in its spool.
struct SpoolFeed: PageFeed {
    let pages: [CapturedPage]
    let device: String

    /// There is nothing to wait for: the pages are on the disk already.
    func stop() {}

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        for page in pages {
            onEvent(.captured(page: page.number, label: page.description.label))
            take(FedPage(captured: page, device: device))
        }
    }
}

/// What a failure says, in the form in which backends report one page's failure.
func captureError(_ error: any Error) -> CaptureError {
    switch error {
    case let error as CaptureError: error
    case let error as HostError:
        CaptureError(
            CaptureError.Code(rawValue: error.code.rawValue), error.message, advice: error.advice)
    default: CaptureError(.internalFault, "\(error)")
    }
}
