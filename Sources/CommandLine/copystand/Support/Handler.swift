import CaptureHost
import CommandLine

/// Makes a command's handler of a function of this program, which gets arguments and console and
/// returns the exit code.
func handler(
    _ run: @escaping @Sendable (ParsedArguments, Console) async throws -> ExitCode
) -> Command.Handler {
    { arguments in try await run(arguments, Console(arguments)).rawValue }
}

/// Runs `body` with the installed backends, and stops them afterwards whatever happened.
///
/// With `--verbose` what the backends log goes to standard error.
func withCaptureHost<Value: Sendable>(
    _ console: Console, _ body: (CaptureHost) async throws -> Value
) async throws -> Value {
    var configuration = HostConfiguration.standard()
    if console.isVerbose {
        configuration.log = { line in
            console.warn("\(line.backend): \(line.level.map { "\($0): " } ?? "")\(line.text)")
        }
    }
    Tracing.current?.follow(&configuration)
    let host = CaptureHost(configuration)
    do {
        let value = try await body(host)
        await host.shutdown()
        return value
    } catch {
        await host.shutdown()
        throw error
    }
}
