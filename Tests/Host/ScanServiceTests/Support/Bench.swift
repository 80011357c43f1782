import CaptureHost
import ContractSupport
import Delivery
import Documents
import FoundationEssentials
import Imaging
import Processing
import Recognition
import Synchronization
import VirtualBackend

@testable import ScanService

/// A service with the virtual devices, separate folders, and a reader that finds no text.
final class Bench: Sendable {
    let folder: String
    let host: CaptureHost
    let service: ScanService
    let store: JobStore
    /// The folder whose files operate the scanners' panel.
    let panel: String
    let clock = StepClock()

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/copystand-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let panel = folder + "/panel"
        host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: folder + "/devices.json")
                .patient,
            inProcess: ["virtual": VirtualBackend(environment: ["COPYSTAND_VIRTUAL_PANEL": panel])])
        self.panel = panel
        try FileManager.default.createDirectory(atPath: panel, withIntermediateDirectories: true)
        store = JobStore(root: folder + "/spool")
        service = ScanService(
            host: host, store: store, profiles: ProfileLibrary(folder: folder + "/profiles"),
            recognizer: NoReader(), workers: 2, clock: clock,
            namedSink: noNamedSink)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A request for small pages from the feeder into files of the bench's folder, without
    /// processing.
    func order(_ outputs: String..., settings: [String: String] = [:]) -> ScanOrder {
        let all = ["resolution": "75", "pages": "4"].merging(settings) { $1 }
        return ScanOrder(
            sources: ["virtual:feeder"], outputs: outputs.map { folder + "/" + $0 },
            profile: "none",
            settings: all.sorted { $0.key < $1.key }.map { .init(option: $0.key, value: $0.value) })
    }

    /// Operates the scanners' panel: `button`, `paper` with a number of sheets, `unplugged`.
    func put(_ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(filePath: panel + "/" + name))
    }

    /// The labels of a delivered document, from its JSON.
    func labels(_ name: String) throws -> [String] {
        struct Document: Decodable {
            struct Page: Decodable {
                struct Provenance: Decodable { var label: String? }
                var provenance: Provenance
            }
            var pages: [Page]
        }
        let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
        return try JSONDecoder().decode(Document.self, from: data).pages
            .map { $0.provenance.label ?? "" }
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/" + name)
    }
}

/// A reader for which every page is blank.
struct NoReader: TextRecognizer {
    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        PageText(blocks: [], languages: languages)
    }
}

/// Collects the events of a job, and acts on some of them.
final class Events: Sendable {
    private let list = Mutex<[ScanEvent]>([])
    private let action: @Sendable (ScanEvent) -> Void

    init(_ action: @escaping @Sendable (ScanEvent) -> Void = { _ in }) { self.action = action }

    func take(_ event: ScanEvent) {
        list.withLock { $0.append(event) }
        action(event)
    }

    var all: [ScanEvent] { list.withLock { $0 } }
}

/// A clock whose sleeps end immediately.
///
/// It reports each sleep, so that a test can act during a wait.
final class StepClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let state = Mutex<(offset: Duration, onSleep: @Sendable (Duration) -> Void)>(
        (.zero, { _ in }))
    private let start = ContinuousClock.now

    var now: Instant { start + state.withLock { $0.offset } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// Sets a function that runs with every sleep, with the total time slept so far.
    func onSleep(_ action: @escaping @Sendable (Duration) -> Void) {
        state.withLock { $0.onSleep = action }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let (slept, action) = state.withLock { state in
            state.offset = max(state.offset, deadline - start)
            return (state.offset, state.onSleep)
        }
        action(slept)
        await Task.yield()
    }
}

/// The result of a service without named sinks.
@Sendable func noNamedSink(_ name: String) throws -> any Sink {
    throw DeliveryError(.invalidOption, "There is no sink '\(name)'.")
}
