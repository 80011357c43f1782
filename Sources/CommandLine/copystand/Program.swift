import CPosix
import CaptureHost
import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import ScanService
import Synchronization
import TemporaryFolders

/// The program between its arguments and its exit code.
enum Program {
    /// The version, as `--version` and the man page show it.
    static let version = "0.1.0"
    /// The date of the man page, in mdoc's form.
    static let date = "November 21, 2026"

    /// The first SIGINT or SIGTERM stops cleanly, the second immediately.
    static let interrupts = Interrupts(exit: {
        RawTerminal.restore()
        if PartialFiles.removeAll() > 0 {
            Console().warn("Stopped at once. What was captured is listed by: copystand jobs")
        }
        BackendProcess.endAll()
        // The job may have begun another file meanwhile.
        _ = PartialFiles.removeAll()
        _exit($0)
    })

    /// Stops deliveries some seconds after the first signal, so that no sink can delay the exit.
    static let deliveryStop = DeliveryStop()

    private static let uploadListener = Mutex<(@Sendable (Outbox.Upload) -> Void)?>(nil)

    /// Reports uploads of all outboxes to `listener`, which replaces the previous one.
    static func onUploads(_ listener: @escaping @Sendable (Outbox.Upload) -> Void) {
        uploadListener.withLock { $0 = listener }
    }

    /// Reports the progress of an upload to its display.
    static func notify(_ upload: Outbox.Upload) { uploadListener.withLock { $0 }?(upload) }

    /// Runs one command line, without the program's own name; the result is the exit code.
    static func run(_ words: [String]) async -> Int32 {
        outliveSignals()
        // Pages, tokens and passwords must not end up in a core dump; backends and helpers inherit
        // this.
        _ = cposix_forbid_core_dumps()
        // Without this setting, glibc raises its threshold, and pictures between small objects
        // leave a fragmented heap that grows with every page.
        cposix_map_blocks_from(1 << 20)
        do {
            switch try ArgumentParser(CommandCatalog.root).parse(words) {
            case .version(let isVerbose):
                let lines = ["copystand \(version)"] + (isVerbose ? BuildFacts().lines : [])
                try Console().result(lines.map { $0 + "\n" }.joined())
            case .help(let commands, let arguments):
                let console = Console(arguments)
                try console.result(HelpPage(for: commands, terminal: console.output).text)
            case .run(let command, let arguments):
                return try await run(command, arguments)
            }
            return ExitCode.done.rawValue
        } catch {
            let explained = ErrorMessages.explain(error)
            Console().warn(explained.text)
            return explained.code.rawValue
        }
    }

    /// Runs a command so that Ctrl-C cancels it.
    private static func run(
        _ command: Command, _ arguments: ParsedArguments
    ) async throws -> Int32 {
        guard let handler = command.handler else { return ExitCode.internalError.rawValue }
        removeOrphans()
        interrupts.listen()
        let result = await interrupts.run { () async -> Result<Int32, any Error> in
            await withTaskCancellationHandler {
                do { return .success(try await handler(arguments)) } catch {
                    return .failure(error)
                }
            } onCancel: {
                deliveryStop.request(after: .seconds(3))
            }
        }
        return try result.get()
    }

    /// Removes what killed processes left of pages, whichever command comes next.
    private static func removeOrphans() {
        let environment = ProcessInfo.processInfo.environment
        TemporaryFolder.removeOrphans()
        (try? JobStore.standard(environment: environment))?.removeOrphans()
        (try? OutboxStore.standard(environment: environment))?.removeLeftovers()
    }

    /// Makes a write to a closed pipe or socket, or beyond the file size limit, fail instead of
    /// ending the process.
    ///
    /// Installs a handler instead of `SIG_IGN`, because an ignored signal would stay ignored in
    /// programs that are started.
    private static func outliveSignals() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = doNothing
        sigaction(SIGPIPE, &action, nil)
        sigaction(SIGXFSZ, &action, nil)
    }
}

private func doNothing(_ signal: Int32) {}
