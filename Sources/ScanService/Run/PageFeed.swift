import CaptureHost
import CaptureKit
import Documents

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
}

/// Captures from devices, one after another, into the job's spool.
struct DeviceFeed: PageFeed {
    let host: CaptureHost
    let devices: [ListedDevice]
    let order: ScanOrder
    let spool: String
    /// The most pages in the spool that the pipeline has not taken yet; nil for no limit.
    let window: Int?

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        var first = 1
        var failure: (any Error)?
        for device in devices {
            do {
                try await capture(device, first: &first, onEvent, take)
            } catch let error where devices.count > 1 && !(error is CancellationError) {
                // Several files were named: what is wrong with one is no reason to leave out the next.
                failure = failure ?? error
                onEvent(.skipped(SkippedPage(label: device.descriptor.name, error: captureError(error))))
            }
        }
        if let failure { throw failure }
    }

    private func capture(
        _ listed: ListedDevice, first: inout Int,
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, _ take: @Sendable (FedPage) -> Void
    ) async throws {
        let device = try await host.open(listed)
        do {
            onEvent(.opened(device: listed.id, name: listed.descriptor.name))
            try await apply(order.settings, to: device, onEvent)
            var total: Int?
            var label: String?
            let events = device.capture(
                CaptureRequest(limit: order.limit),
                spool: SpoolFolder(path: spool, firstNumber: first), window: window)
            for try await event in events {
                switch event {
                case .began(let page, let frame):
                    (total, label) = (frame.height, frame.label)
                    first = page + 1
                    onEvent(.capturing(page: page, label: label, rows: 0, of: total))
                case .progress(let page, let rows):
                    onEvent(.capturing(page: page, label: label, rows: rows, of: total))
                case .page(let captured):
                    first = max(first, captured.number + 1)
                    onEvent(.captured(page: captured.number, label: captured.description.label))
                    take(FedPage(captured: captured, device: listed.id))
                case .skipped(let page, let label, let error):
                    first = page + 1
                    onEvent(.skipped(SkippedPage(label: label, error: error)))
                }
            }
            try Task.checkCancellation()
        } catch {
            await device.close()
            throw error
        }
        await device.close()
    }

    private func apply(
        _ settings: [ScanOrder.Setting], to device: OpenDevice,
        _ onEvent: @Sendable (ScanEvent) -> Void
    ) async throws {
        for setting in settings {
            let (value, outcome) = try await device.set(setting.option, toText: setting.value)
            if let got = outcome.value, got != value {
                onEvent(.adjusted(option: setting.option, asked: setting.value, got: got))
            }
        }
    }
}

/// Feeds the pages that an interrupted job left in its spool.
struct SpoolFeed: PageFeed {
    let pages: [CapturedPage]
    let device: String

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
