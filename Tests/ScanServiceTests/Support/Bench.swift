import CaptureHost
import Documents
import FoundationEssentials
import Imaging
import Processing
import Recognition
import Synchronization
import VirtualBackend

@testable import ScanService

/// A service over the virtual devices, with folders of its own and a reader that reads nothing.
final class Bench: Sendable {
    let folder: String
    let host: CaptureHost
    let service: ScanService
    let store: JobStore

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/copystand-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: folder + "/devices.json"),
            inProcess: ["virtual": VirtualBackend(environment: [:])])
        store = JobStore(root: folder + "/spool")
        service = ScanService(
            host: host, store: store, profiles: ProfileLibrary(folder: folder + "/profiles"),
            recogniser: NoReader(), workers: 2)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Small pages from the feeder into files of the bench's folder, as they are.
    func order(_ outputs: String..., settings: [String: String] = [:]) -> ScanOrder {
        let all = ["resolution": "75", "pages": "4"].merging(settings) { $1 }
        return ScanOrder(
            sources: ["virtual:feeder"], outputs: outputs.map { folder + "/" + $0 },
            profile: "none",
            settings: all.sorted { $0.key < $1.key }.map { .init(option: $0.key, value: $0.value) })
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/" + name)
    }
}

/// A reader for which every page is blank.
struct NoReader: TextRecogniser {
    func recognise(_ image: Raster, languages: [String]) async throws -> PageText {
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
