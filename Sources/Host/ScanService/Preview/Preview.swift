import BlockingWork
import CaptureHost
import CaptureKit
import Delivery
import Documents
import ExpectedFailures
import Imaging

/// A quick, coarse scan of the whole platen.
public struct Preview: Sendable {
    /// The device, as `<backend>:<id>`.
    public var device: String
    /// The paths of the written files.
    public var locations: [String]
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// Dots per inch; nil when the device does not report it.
    public var resolution: Double?
    /// The shown part of the platen, in millimeters; nil for a device without one.
    public var area: PlatenArea?
}

/// The settings for a preview: all of the glass, at the lowest resolution that is enough to choose
/// a part.
private let previewSettings: [(CommonPart, CommonSettings)] = [
    (.source, CommonSettings(source: "flatbed")), (.mode, CommonSettings(mode: "color")),
    (.resolution, CommonSettings(resolution: 75)), (.paper, CommonSettings(paper: "maximum")),
]

extension ScanService {
    /// Captures one picture of the whole platen at about 75 dpi into a file, whose ending chooses
    /// the format.
    ///
    /// The usual settings that the device has are set first, and then those of `change`.
    ///
    /// - Parameters:
    ///   - device: the device by any name the host understands; nil for the default one.
    ///   - output: the path of the file; an existing file is never overwritten.
    ///   - change: settings of the user's own, such as the source; `settings` are options as a user
    ///     typed them.
    /// - Throws: ``HostError``, ``DeliveryError``, ``JobError``; `CancellationError` when stopped.
    public func preview(
        _ device: String?, to output: String, _ change: ScanOrder.Change = .init(),
        control: ScanControl, onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> Preview {
        let writer = try FileSink(path: output).begin(
            DocumentInfo(title: "Preview", created: startTime))
        do {
            return try await preview(
                device, change, into: writer, control: control, onEvent: onEvent)
        } catch {
            writer.cancel()
            throw error
        }
    }

    private func preview(
        _ name: String?, _ change: ScanOrder.Change, into writer: any SinkWriter,
        control: ScanControl, onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> Preview {
        let folder = try TemporarySpool()
        let listed = try await find(device: name)
        try checkPlaten(of: listed, change)
        let device = try await open(listed)
        control.onStop { Task { await device.cancelCapture() } }
        do {
            onEvent(
                .opened(
                    device: listed.id, name: listed.descriptor.name, kind: listed.descriptor.kind))
            let area = try await prepare(device, listed, change: change, onEvent: onEvent)
            let page = try await capture(device, folder.path, onEvent)
            await device.close()
            let preview = try await onOwnThread {
                try write(page, of: listed, showing: area, into: writer)
            }
            withExtendedLifetime(folder) {}
            return preview
        } catch {
            await device.close()
            throw error
        }
    }

    /// Refuses to feed a sheet for a preview unless the feeder was requested.
    private func checkPlaten(of device: ListedDevice, _ change: ScanOrder.Change) throws {
        let sources = device.descriptor.sources
        guard change.common.source == nil, !sources.isEmpty,
            sources.allSatisfy({ $0.hasPrefix("feeder") })
        else { return }
        throw HostError(
            HostError.Code(.unsupported),
            "'\(device.id)' has no glass, and a preview would feed a sheet",
            advice: "If it may, use --source \(sources[0])")
    }

    private func write(
        _ page: CapturedPage, of listed: ListedDevice, showing area: PlatenArea?,
        into writer: any SinkWriter
    ) throws -> Preview {
        let image = try page.raster().image
        let provenance = Provenance(device: listed.id, label: page.description.label)
        try writer.add(
            DeliveredPage(
                page: Page(
                    number: 1, width: image.width, height: image.height,
                    resolution: image.resolution ?? 75, provenance: provenance),
                image: image))
        return Preview(
            device: listed.id, locations: try writer.finish().locations, width: image.width,
            height: image.height, resolution: image.resolution, area: area)
    }

    private func prepare(
        _ device: OpenDevice, _ listed: ListedDevice, change: ScanOrder.Change,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> PlatenArea? {
        let name = listed.descriptor.name
        for (part, settings) in previewSettings {
            // A device without a platen, color or paper sizes is previewed with its present
            // settings; one that is gone fails at the next step.
            await ifStillThere {
                let steps = try settings.steps(
                    for: part, in: await device.options(), of: name,
                    sources: listed.descriptor.sources)
                for step in steps {
                    await ifStillThere { try await device.set(step.option, to: step.value) }
                }
            }
        }
        var order = ScanOrder(sources: [], outputs: [], profile: "none", settings: change.settings)
        order.common = change.common
        try await DeviceSetup(order: order, side: .asTheyCome, onEvent: onEvent)
            .apply(to: device, name)
        return PlatenArea(try await device.options())
    }

    private func capture(
        _ device: OpenDevice, _ folder: String, _ onEvent: @Sendable (ScanEvent) -> Void
    ) async throws -> CapturedPage {
        var found: CapturedPage?
        var damage: HostError?
        let events = device.capture(
            CaptureRequest(limit: 1), spool: SpoolFolder(path: folder, isKept: false),
            window: nil)
        for try await event in events {
            switch event {
            case .began(let page, let frame):
                onEvent(.capturing(page: page, label: frame.label, rows: 0, of: frame.height))
            case .progress(let page, let rows):
                onEvent(.capturing(page: page, label: nil, rows: rows, of: nil))
            case .page(let page): found = page
            case .skipped(_, _, let error):
                // A problem of an unreadable page counts only if no other page follows.
                damage = HostError(error, backend: device.device.backend)
            }
        }
        guard let found else {
            throw damage
                ?? HostError(.tornPage, "the device '\(device.device.id)' sent no picture")
        }
        return found
    }
}

extension PlatenArea {
    /// The area that a device's options are set to; nil for a device that has none.
    init?(_ options: [DeviceOption]) {
        let sides = ["area-left", "area-top", "area-width", "area-height"].compactMap { name in
            options.first { $0.name == name }?.value?.number
        }
        guard sides.count == 4 else { return nil }
        self.init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }
}
