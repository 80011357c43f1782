import CaptureKit
import Synchronization

/// An open file or folder.
final class FileDevice: CaptureDevice {
    /// What the device says about itself.
    let descriptor: DeviceDescriptor?
    private let path: FilePath
    private let isFolder: Bool
    private let worker: ImportWorker
    private let limits: ImportLimits
    private let settings = Mutex(ImportSettings())

    init(path: FilePath, isFolder: Bool, worker: ImportWorker, limits: ImportLimits) {
        self.path = path
        self.isFolder = isFolder
        self.worker = worker
        self.limits = limits
        descriptor = DeviceDescriptor(
            id: String(decoding: path.bytes, as: UTF8.self),
            name: printable(String(decoding: path.name, as: UTF8.self)), kind: .files,
            sources: [isFolder ? "folder" : "file"])
    }

    func options() async throws -> [DeviceOption] {
        let now = settings.withLock { $0 }
        return ImportOption.all.map { $0.current(in: now) }
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        guard let found = ImportOption.all.first(where: { $0.declaration.name == option }) else {
            let names = ImportOption.all.map(\.declaration.name).joined(separator: ", ")
            throw CaptureError(
                .noSuchOption, "Files have no option '\(printable(option))'",
                advice: "Their options are \(names)")
        }
        let accepted = settings.withLock { found.write(&$0, value) }
        guard accepted else { throw found.refusal(of: value) }
        return OptionOutcome(value: settings.withLock { found.read($0) })
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        guard request.mode == .pages else {
            throw CaptureError(
                .unsupported, "'\(path.display)' is a file and has no live picture",
                advice: "Capture pages from it")
        }
        let run = ImportRun(
            worker: worker, settings: settings.withLock { $0 }, limits: limits, sink: sink,
            limit: request.limit)
        if isFolder {
            try await run.importFolder(path)
        } else {
            try await run.importFile(path)
        }
    }

    func close() async {
        _ = try? await worker.run { [worker] _ in worker.source = nil }
    }
}
