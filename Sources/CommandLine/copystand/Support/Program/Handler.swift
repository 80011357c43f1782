import CaptureHost
import CommandLine

/// Turns a function of this program into a command's handler.
///
/// The function gets the arguments and the console, and returns the exit code.
func handler(
    _ run: @escaping @Sendable (ParsedArguments, Console) async throws -> ExitCode
) -> Command.Handler {
    { arguments in try await run(arguments, Console(arguments)).rawValue }
}

/// Runs `body` with the installed backends, and stops them afterward whatever happened.
///
/// With `--verbose`, the backends' logs go to standard error.
///
/// - Parameter configure: changes the usual configuration.
func withCaptureHost<Value: Sendable>(
    _ console: Console, configure: (inout HostConfiguration) -> Void = { _ in },
    _ body: (CaptureHost) async throws -> Value
) async throws -> Value {
    var configuration = HostConfiguration.standard()
    if let problem = configuration.attachProblem { throw problem }
    configuration.onWait = { console.warn($0) }
    if console.isVerbose {
        configuration.log = { line in
            console.warn("\(line.backend): \(line.level.map { "\($0): " } ?? "")\(line.text)")
        }
    }
    configure(&configuration)
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
