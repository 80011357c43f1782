import Archive
import CaptureHost
import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import JobOptions
import Listings
import Processing
import Readers
import Recognition
import ScanService

/// Runs `scan` and `import`: from the device or the files to the delivered documents.
///
/// The task is canceled by the first Ctrl-C.
///
/// - Parameters:
///   - onBegin: gets the name of the job, once its folder exists.
///   - onResult: gets the result.
func runScan(
    _ arguments: ScanArguments, onBegin: @escaping @Sendable (String) -> Void = { _ in },
    onResult: (ScanJSON) -> Void = { _ in }
) async throws -> ExitCode {
    if arguments.continued != .no { return try await runAppend(arguments) }
    let order = try ScanOrder(arguments)
    return try await withScanService(
        arguments.console, isJSON: arguments.isJSON, onResult: onResult
    ) { service, control, show in
        try await service.run(order, control: control) { event in
            if case .began(let job) = event { onBegin(job) }
            show(event)
        }
    }
}

/// Runs `scan --append`.
private func runAppend(_ arguments: ScanArguments) async throws -> ExitCode {
    let store = try JobStore.standard(environment: ProcessInfo.processInfo.environment)
    let id: String? = if case .job(let id) = arguments.continued { id } else { nil }
    let job = try store.continuable(id)
    let sources: [String] = if case .device(let name?) = arguments.source { [name] } else { [] }
    let change = ScanOrder.Change(
        sources: sources, outputs: arguments.outputs,
        common: arguments.request.common ?? CommonSettings(),
        settings: arguments.request.settings?.list ?? [], options: arguments.request.options,
        protection: arguments.pdf.protection)
    return try await withScanService(arguments.console, isJSON: arguments.isJSON) {
        service, control, show in
        try await service.append(to: job, change, control: control, onEvent: show)
    }
}

/// Runs a job with the installed backends and recognizers, shows its progress, and reports its
/// result.
func withScanService(
    _ console: Console, isJSON: Bool, onResult: (ScanJSON) -> Void = { _ in },
    _ job:
        @escaping @Sendable (
            ScanService, ScanControl, @escaping @Sendable (ScanEvent) -> Void
        ) async throws -> ScanOutcome
) async throws -> ExitCode {
    let display = ScanDisplay(console)
    let outcome: ScanOutcome
    do { outcome = try await withDisplayedService(console, display, job) } catch {
        display.writeKept()
        throw error
    }
    let result = ScanJSON(outcome)
    display.finish(result)
    onResult(result)
    if isJSON {
        try console.json(result)
    } else {
        for receipt in outcome.receipts {
            for location in receipt.locations { try console.result(location + "\n") }
        }
        for receipt in outcome.receipts where receipt.sink.hasPrefix("archive:") {
            guard let id = receipt.locations.first else { continue }
            console.say("Document \(id) is in the archive. See it with: copystand show \(id)")
        }
    }
    return ExitCode(result)
}

/// The sink of a name, in the form NAME or KIND:NAME, from the user's registry.
func namedSink(_ name: String) throws -> any Sink {
    try namedSink(name, ProcessInfo.processInfo.environment)
}

/// The sink with that name, from the registry of the environment's user.
func namedSink(_ name: String, _ environment: [String: String]) throws -> any Sink {
    if name == ArchiveSink.kindName {
        return try Outputs.sink(for: ScanOrder.defaultOutput(environment))
    }
    let registry = try SinksCommand.registry(environment)
    return try NamedSink(name, in: registry, outbox: try SinksCommand.outbox(registry, environment))
}

/// Runs something with the installed backends and recognizers, and shows the progress.
///
/// Canceling the task only stops the capture: captured pages are still processed and delivered.
func withDisplayedService<Value: Sendable>(
    _ console: Console, _ display: ScanDisplay,
    _ body:
        @escaping @Sendable (
            ScanService, ScanControl, @escaping @Sendable (ScanEvent) -> Void
        ) async throws -> Value
) async throws -> Value {
    let recognizer = Readers(workers: ProcessInfo.processInfo.activeProcessorCount)
    let value = try await withCaptureHost(console) { host in
        let service = try ScanService(host: host, recognizer: recognizer)
        let canAsk = isatty(STDIN_FILENO) == 1 && console.error.isTerminal
        let ask: @Sendable (Int) async throws -> Void = { _ in
            try await TerminalQuestion().waitForEnter()
        }
        let control = ScanControl(turnStack: canAsk ? ask : nil)
        // A separate task, because canceling this one must not cancel the pages in progress.
        let work = Task { try await body(service, control) { display.show($0) } }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            control.stop()
            display.stopping()
        }
    }
    await recognizer.shutdown()
    return value
}

extension ScanService {
    /// The service of the user that the environment describes.
    ///
    /// - Parameters:
    ///   - store: the folder of its jobs; the user's own unless given.
    ///   - user: the name of the job's user, for others who wait for the device.
    ///   - readers: the number of a job's pages to read at the same time; one for each core unless
    ///     given.
    ///   - environment: names the user's folders; that of the process unless given.
    init(
        host: CaptureHost, recognizer: Readers, store: JobStore? = nil,
        as user: String = "another copystand (process \(getpid()))",
        readers: Int = ProcessInfo.processInfo.activeProcessorCount,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        self.init(
            host: host, store: try store ?? .standard(environment: environment),
            profiles: ProfileLibrary(environment: environment), recognizer: recognizer,
            workers: readers,
            namedSink: { try copystand.namedSink($0, environment) })
        self = claiming(with: .standard(environment: environment), as: user)
    }
}

extension ScanOrder {
    /// The order that a command line places.
    init(_ arguments: ScanArguments) throws {
        let sources: [String] =
            switch arguments.source {
            case .device(let name): name.map { [absoluteDevice($0)] } ?? []
            case .files(let paths): paths.map { $0 == "-" ? "-" : "file:" + absolutePath($0) }
            }
        self.init(arguments.request, from: sources)
        if let password = try arguments.password.read() {
            settings.append(Setting(option: "password", value: password))
        }
        try place(in: arguments.outputs, sinks: arguments.request.sinks ?? [])
        pdf = arguments.pdf
        explanation = arguments.explanation.map(absolutePath)
        // The archive by its name is the user's own.
        if options[.processing] != .here, outputs.isEmpty, self.sinks == [ArchiveSink.kindName] {
            (outputs, self.sinks) = ([try Self.defaultOutput], [])
        }
    }

    /// Sets the outputs of the document: these files and sinks, or else the profile's sinks, or
    /// else the user's archive.
    ///
    /// - Throws: `ProfileError` for a profile that can't be read.
    mutating func place(in outputs: [String], sinks: [String]) throws {
        self.outputs = outputs
        self.sinks = sinks
        guard outputs.isEmpty, sinks.isEmpty else { return }
        self.sinks = try ProfilesCommand.library.load(profile).sinks
        if self.sinks.isEmpty { self.outputs = [try Self.defaultOutput] }
    }

    /// The output if no file is named: the user's archive.
    static var defaultOutput: String {
        get throws { try defaultOutput(ProcessInfo.processInfo.environment) }
    }

    /// The output if no file is named, for the user of the environment.
    static func defaultOutput(_ environment: [String: String]) throws -> String {
        "archive:" + (try Archive.standardPlace(environment: environment))
    }

    /// A file in the current folder, named by the time, for a picture that is not a document.
    static func pictureName(at date: Date, ending: String) -> String {
        let stamp = date.formatted(
            .iso8601.year().month().day().dateSeparator(.omitted)
                .time(includingFractionalSeconds: false).timeSeparator(.omitted))
        return "scan-" + stamp.filter { $0 != "Z" }.replacing("T", with: "-") + ".\(ending)"
    }
}

extension ScanArguments.Password {
    /// The password; nil for none.
    ///
    /// - Throws: ``UsageError`` when its file can't be read.
    func read() throws -> String? {
        switch self {
        case .none: return nil
        case .text(let password): return password
        case .file(let path):
            guard let line = FirstLine.of(path) else {
                throw UsageError(
                    .refused("can't be read: name a text file whose first line is the password"),
                    argument: path, path: ["copystand", "scan"])
            }
            return line
        }
    }
}

extension ExitCode {
    /// The exit code for the end of a job; a failed delivery takes precedence, because the user
    /// must act.
    init(_ result: ScanJSON) {
        self =
            switch result.ending {
            case _ where !result.failed.isEmpty: .deliveryFailed
            case _ where result.delivered.contains { $0.waiting?.isRefused == true }:
                .deliveryFailed
            case .stopped: .cancelled
            case .deviceFailed: ErrorMessages.code(ofDeviceFailure: result.errorCode)
            case .completed
            where result.pages.isEmpty || result.skipped.contains(where: \.isFailure):
                .deviceFailed
            case .completed where result.delivered.isEmpty: .deviceFailed
            case .completed where result.collated?.isEven == false: .deviceFailed
            case .completed: .done
            }
    }
}

extension ScanJSON {
    /// The JSON of a job on this machine.
    init(_ outcome: ScanOutcome) { self.init(outcome) { ErrorMessages.explain($0).text } }
}
