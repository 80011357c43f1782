public import CaptureHost
public import Documents
import ExpectedFailures
import FoundationEssentials
public import Imaging
public import Recognition
import Suggestions
import Synchronization

/// The readers on this machine: Tesseract, and programs that are found by their manifests.
///
/// As a reader itself, this type is the default reader: the one that `COPYSTAND_READER` names, or
/// else ``automatic`` if the reader ``network`` is installed, or else ``tesseract``. Processes
/// start when they are first needed.
public final class Readers: TextRecognizer {
    /// The name of the reader that comes with the program.
    public static let tesseract = "tesseract"
    /// The name of the reader with a network for lines of text, which is installed by
    /// `copystand readers install paddle`.
    public static let network = "paddle"
    /// The name of the reader that uses both others, each where it is better.
    public static let automatic = "auto"

    private let engine: RecognizerPool
    private let engineCommand: HelperCommand
    private let workers: Int?
    private let environment: [String: String]
    private let pools = Mutex<[String: RecognizerPool]>([:])

    /// The readers in the folders that an environment names.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of processes of a reader at once, at least 1; by default one
    ///     for each core that is online.
    ///   - engine: the command for Tesseract's helper.
    ///   - environment: the environment to read; the process's own unless given.
    public init(
        workers: Int? = nil, engine: HelperCommand = .installed,
        environment: [String: String]? = nil
    ) {
        self.workers = workers
        engineCommand = engine
        self.engine = RecognizerPool(workers: workers, command: engine)
        self.environment = environment ?? ProcessInfo.processInfo.environment
    }

    /// The readers that were found besides Tesseract and those built on it: every unusable one, and
    /// the first usable one of each name.
    ///
    /// Manifests are looked for in the folders of `COPYSTAND_READERS` (separated by colons), in
    /// `$XDG_DATA_HOME/copystand/readers`, in `lib/copystand/readers` of the installation, in
    /// `/usr/lib/copystand/readers`, and in `Plugins` of a package in its build folder.
    public func installed() -> [BackendReport] {
        let reserved: Set = [Self.tesseract, Self.automatic]
        return ModuleFinder(
            kind: "readers", fileName: "reader.json", newestProtocol: readerProtocolVersion,
            environment: environment
        ).reports().map { report in
            var report = report
            if report.problem == nil, reserved.contains(report.id) {
                report.problem = "its id '\(report.id)' is taken: give it another"
            }
            return report
        }
    }

    /// The name of the default reader.
    public func defaultName() -> String {
        if let name = environment["COPYSTAND_READER"], !name.isEmpty { return name }
        return usable(Self.network) == nil ? Self.tesseract : Self.automatic
    }

    /// The reader with that name; nil for the default reader.
    ///
    /// - Throws: ``RecognitionError`` `readerMissing` when there is none, or it can't be used.
    public func reader(_ name: String?) throws(RecognitionError) -> any TextRecognizer {
        let name = name ?? defaultName()
        if name == Self.tesseract { return EngineReader(engine: engine) }
        if name == Self.automatic {
            guard let network = usable(Self.network) else { return EngineReader(engine: engine) }
            return AutomaticReader(engine: engine, network: pool(network))
        }
        return NamedReader(pool: pool(try program(name)), engine: engine)
    }

    /// The program of a reader.
    ///
    /// - Throws: ``RecognitionError`` `readerMissing` when there is none, or it can't be used.
    public func program(_ name: String) throws(RecognitionError) -> BackendReport {
        if name == Self.tesseract {
            var report = BackendReport(id: name, name: "Tesseract")
            report.program = engineCommand.program
            report.confinement = engineCommand.confinement
            return report
        }
        let installed = installed()
        guard let report = installed.first(where: { $0.id == name }) else {
            if name == Self.network {
                throw RecognitionError(
                    .readerMissing,
                    "The reader '\(name)' is not set up. Set it up with: copystand readers install \(name)"
                )
            }
            let known = [Self.automatic, Self.tesseract] + installed.map(\.id)
            let near = nearestNames(to: name, among: known)
            let hint = near.first.map { " Did you mean '\($0)'?" } ?? ""
            throw RecognitionError(
                .readerMissing,
                "There is no reader '\(name.prefix(64))'.\(hint) List the readers with: copystand readers"
            )
        }
        if let problem = report.problem {
            throw RecognitionError(
                .readerMissing, "The reader '\(name)' can't be used: \(problem).")
        }
        return report
    }

    /// The names of all usable readers.
    public func names() -> [String] {
        [Self.automatic, Self.tesseract]
            + installed().filter { $0.problem == nil }.map(\.id)
    }

    private func usable(_ name: String) -> BackendReport? {
        installed().first { $0.id == name && $0.problem == nil }
    }

    private func pool(_ report: BackendReport) -> RecognizerPool {
        pools.withLock { pools in
            if let pool = pools[report.id] { return pool }
            let pool = RecognizerPool(
                workers: report.workers.map { min($0, workers ?? $0) } ?? workers,
                command: HelperCommand(report))
            pools[report.id] = pool
            return pool
        }
    }

    /// Ends the processes of all readers, after the pages that they are reading.
    public func shutdown() async {
        await engine.shutdown()
        for pool in pools.withLock({ Array($0.values) }) { await pool.shutdown() }
    }

    // MARK: The default reader

    /// Reads `image` with the default reader.
    ///
    /// - Throws: ``RecognitionError``, for example `readerMissing`; `CancellationError`.
    public func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        try await reader(nil).recognize(image, languages: languages)
    }

    /// Reads `image`, whose layout is known, with the default reader.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``.
    public func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        try await reader(nil).recognize(image, languages: languages, layout: layout)
    }

    /// Lets Tesseract find the orientation of `image`.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``.
    public func detectOrientation(_ image: Raster) async throws -> OrientationGuess? {
        try await engine.detectOrientation(image)
    }

    /// Starts the default reader, without waiting for it.
    public func prewarm(languages: [String]) {
        reportedLater { try reader(nil) }?.prewarm(languages: languages)
    }
}

extension HelperCommand {
    /// The command for an installed reader.
    init(_ report: BackendReport) {
        self.init(
            name: report.id, program: report.program ?? "", confinement: report.confinement,
            usesTessdata: false)
    }
}
