import CaptureHost
import CaptureKit
import LiveCapture

/// Feeds the pages of a watched camera or recording to its job.
struct WatchedFeed: PageFeed {
    let live: LiveFeed
    let device: ListedDevice
    let settings: [ScanOrder.Setting]

    func stop() { live.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let (id, descriptor) = (device.id, device.descriptor)
        try await live.run(
            prepare: { [settings] open, isFirst in
                try await open.apply(settings, isFirst ? onEvent : { _ in })
            },
            onOpen: {
                onEvent(.opened(device: id, name: descriptor.name, kind: descriptor.kind))
            },
            take: { page in
                onEvent(.captured(page: page.number, label: page.description.label))
                take(FedPage(captured: page, device: id))
            })
    }
}
