import CaptureKit
import ExpectedFailures
import Synchronization

/// An open file or folder.
final class FileDevice: CaptureDevice {
    /// The kind of the open path.
    enum Kind: String {
        /// A file of pages.
        case file
        /// A folder of files, or of a recording's frames.
        case folder
        /// A recording, for watching.
        case recording
    }

    /// The device's description of itself.
    let descriptor: DeviceDescriptor?
    private let path: FilePath
    private let kind: Kind
    private let worker: ImportWorker
    private let limits: ImportLimits
    private let onRead: @Sendable (String) -> Void
    private let settings = Mutex(ImportSettings())

    init(
        path: FilePath, kind: Kind, worker: ImportWorker, limits: ImportLimits,
        onRead: @escaping @Sendable (String) -> Void
    ) {
        self.onRead = onRead
        self.path = path
        self.kind = kind
        self.worker = worker
        self.limits = limits
        descriptor = DeviceDescriptor(
            id: path.text,
            name: shownName(path.name), kind: .files,
            sources: [kind.rawValue])
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
            return try await LiveRun(
                worker: worker, settings: settings.withLock { $0 }, limits: limits, sink: sink,
                limit: request.limit
            ).play(path)
        }
        let run = ImportRun(
            worker: worker, settings: settings.withLock { $0 }, limits: limits, sink: sink,
            limit: request.limit, after: request.after.flatMap(ImportPlace.init), onRead: onRead)
        if kind == .folder {
            try await run.importFolder(path)
        } else {
            try await run.importFile(path)
        }
    }

    func close() async {
        await ifStillThere {
            try await worker.run { [worker] _ in (worker.source, worker.recording) = (nil, nil) }
        }
    }
}
