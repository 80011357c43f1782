public import CaptureHost
import CaptureKit

extension ScanService {
    /// Captures pages for a caller that waits for each of them; makes no job and stores nothing.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of pages; nil for all in the feeder.
    ///   - folder: where each page is until `take` returns.
    ///   - take: gets the pages in order; the device waits while two pages are waiting.
    /// - Throws: ``HostError``, even for a page that the device skipped; `CancellationError` when
    ///   stopped; the errors of `take`.
    public func pass(
        from listed: ListedDevice, _ settings: CommonSettings, limit: Int?, through folder: String,
        control: ScanControl, take: @Sendable (CapturedPage) async throws -> Void
    ) async throws {
        let claim: DeviceClaim?
        do { claim = try await self.claim(listed, control) } catch {
            await host.release(listed)
            throw error
        }
        defer { withExtendedLifetime(claim) {} }
        let device = try await open(listed)
        control.onStop { Task { await device.cancelCapture() } }
        do {
            var order = ScanOrder(sources: [], outputs: [], profile: "none")
            order.common = settings
            try await DeviceSetup(order: order, side: .asTheyCome, onEvent: { _ in })
                .apply(to: device, listed.descriptor.name)
            if control.isStopped { throw CancellationError() }
            let events = device.capture(
                CaptureRequest(limit: limit), spool: SpoolFolder(path: folder, isKept: false),
                window: 2)
            for try await event in events {
                switch event {
                case .page(let page):
                    defer { page.discard() }
                    try await take(page)
                case .skipped(_, _, let error):
                    // A caller that waits for a stack must not get one with a gap.
                    throw HostError(error, backend: listed.backend)
                case .began, .progress: break
                }
            }
            if control.isStopped { throw CancellationError() }
        } catch {
            await device.close()
            throw error
        }
        await device.close()
    }

    private func claim(_ device: ListedDevice, _ control: ScanControl) async throws -> DeviceClaim?
    {
        try await queue.claim(device, isStopped: { control.isStopped }, onEvent: { _ in })
    }
}
