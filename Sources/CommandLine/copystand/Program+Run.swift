import CPosix
import CaptureHost
import CommandLine
import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import ScanService
import TemporaryFolders

extension Program {
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
        // A second signal ends backends first, and their end must not decide the exit code.
        while interrupts.isEnding { pause() }
        return try result.get()
    }

    /// Removes what killed processes left of pages, whichever command comes next.
    private static func removeOrphans() {
        let environment = ProcessInfo.processInfo.environment
        TemporaryFolder.removeOrphans()
        reportedLater { try JobStore.standard(environment: environment) }?.removeOrphans()
        reportedLater { try OutboxStore.standard(environment: environment) }?.removeLeftovers()
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
