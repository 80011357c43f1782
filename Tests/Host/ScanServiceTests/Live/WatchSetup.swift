import CaptureHost
import ContractSupport
import CaptureKit
import Detection
import FoundationEssentials
import Imaging
import LiveCapture
import Processing
import Synchronization

@testable import ScanService

/// A service with a stage as its camera, and a profile that only searches for a page.
final class WatchSetup: Sendable {
    /// The reported events.
    ///
    /// They are separate from the setup, since otherwise the setup's control would retain the setup
    /// forever.
    private final class Told: Sendable {
        let events = Mutex<[LiveEvent]>([])
    }

    let folder: String
    let host: CaptureHost
    let service: ScanService
    let store: JobStore
    let stage: StageBackend
    let control = LiveControl()
    private let told = Told()

    init(_ stage: StageBackend, search: BrightSheet = BrightSheet()) throws {
        self.stage = stage
        folder = FileManager.default.temporaryDirectory.path + "/copystand-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder + "/profiles", withIntermediateDirectories: true)
        try Data(#"{ looksFor: "page", steps: ["crop"] }"#.utf8).write(
            to: URL(filePath: folder + "/profiles/search.json5"))
        host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: folder + "/devices.json")
                .patient,
            inProcess: ["stage": stage])
        store = JobStore(root: folder + "/spool")
        service = ScanService(
            host: host, store: store, profiles: ProfileLibrary(folder: folder + "/profiles"),
            recognizer: NoReader(), workers: 2, search: { _ in search },
            namedSink: noNamedSink)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func watch(
        profile: String = "search", output: String = "out.tiff", pages: Int? = nil,
        area: CaptureArea? = nil, options: LiveOptions = LiveOptions(),
        onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in },
        onLive: @escaping @Sendable (LiveEvent) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        var order = ScanOrder(
            sources: ["stage:stage"], outputs: [folder + "/" + output], profile: profile,
            limit: pages)
        order.area = area
        let placed = order
        return try await service.watch(
            host.find("stage:stage"), placed, options: options, control: control,
            onEvent: onEvent
        ) { [told] event in
            told.events.withLock { $0.append(event) }
            onLive(event)
        }
    }

    var live: [LiveEvent] { told.events.withLock { $0 } }

    var captured: [LivePage] {
        live.compactMap { if case .captured(let page) = $0 { page } else { nil } }
    }

    var statistics: LiveStatistics? {
        live.compactMap { if case .ended(_, let statistics) = $0 { statistics } else { nil } }.last
    }
}

/// Finds the stage's sheet by its bright rows and columns: as reliably as any detector, and a
/// hundred times as fast without optimization.
struct BrightSheet: PageDetector {
    /// The detector's confidence after one look.
    var atOnce = 0.95
    /// The detector's confidence after a closer look.
    var closely = 0.95
    /// The number of pixels by which a single look places the top right corner too far up and to
    /// the right.
    var off = 0.0
    /// The width of the smallest picture in which a closer look is more exact, in pixels.
    var least = 0

    func detect(in image: Raster) -> DetectedPage? {
        var page = sheet(in: image, atOnce)
        page?.quad.topRight.x += off
        page?.quad.topRight.y -= off
        return page
    }

    func detectClosely(in image: Raster) -> DetectedPage? {
        image.width < least ? detect(in: image) : sheet(in: image, closely)
    }

    private func sheet(in image: Raster, _ confidence: Double) -> DetectedPage? {
        let (width, height, stride) = (image.width, image.height, image.stride)
        // The margins of the sheet have no print.
        let (columns, rows) = image.withBytes { bytes in
            let columns = (0..<width).filter { bytes[height / 10 * stride + $0] > 150 }
            let left = min((columns.first ?? 0) + height / 60, width - 1)
            return (columns, (0..<height).filter { bytes[$0 * stride + left] > 150 })
        }
        guard let left = columns.first, let right = columns.last, let top = rows.first,
            let bottom = rows.last
        else { return nil }
        let quad = Quad(width: right + 1 - left, height: bottom + 1 - top)
        return DetectedPage(quad: quad.moved(Double(left), Double(top)), confidence: confidence)
    }
}

extension Quad {
    func moved(_ dx: Double, _ dy: Double) -> Quad {
        func moved(_ p: Point) -> Point { Point(x: p.x + dx, y: p.y + dy) }
        return Quad(
            topLeft: moved(topLeft), topRight: moved(topRight), bottomRight: moved(bottomRight),
            bottomLeft: moved(bottomLeft))
    }
}
