import Archive
import CaptureHost
import CommandLine
import Delivery
import FoundationEssentials
import HTTPServer
import Processing
import Recognition
import ScanService
import WebServer

/// `copystand serve`: the host as a daemon, for programs and browsers.
enum ServeCommand {
    private static let listen = Option(
        "listen", value: "ADDRESS:PORT", .name,
        help:
            "Where to listen; 127.0.0.1:8470 unless given. Only this machine's own addresses 127.x.x.x and [::1] are taken."
    )
    private static let name = Option(
        "name", value: "NAME", .name,
        help: "A name by which this host is called besides localhost.", isRepeated: true)

    static let command = Command(
        name: "serve", summary: "Run the host as a daemon with an HTTP API",
        discussion: """
            Answers on http://127.0.0.1:8470 until Ctrl-C or SIGTERM; what is being captured then is delivered first, or stays in \
            'copystand jobs'. Open that address in a browser, or let programs use its API, which is described at \
            /api/v1/openapi.json and in Docs/WebAPI.md.

            With --verbose every request is a line on standard error: a JSON object with "method", "route", "status", \
            "microseconds" and "peer".
            """,
        examples: [
            Example("Serve this machine", "copystand serve"),
            Example("On another port", "copystand serve --listen 127.0.0.1:9000"),
        ],
        options: [listen, name], handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let wanted = arguments.text(listen) ?? "127.0.0.1:8470"
        let (address, port) = try place(wanted, arguments.path)
        let environment = ProcessInfo.processInfo.environment
        let workers = ProcessInfo.processInfo.activeProcessorCount
        let recogniser = RecogniserPool(workers: workers)
        let code = try await withCaptureHost(console) { host -> ExitCode in
            let house = House(
                host: host, service: ScanService(host: host, recogniser: recogniser),
                store: .standard(environment: environment),
                profiles: ProfileLibrary(environment: environment),
                outbox: .standard(environment: environment),
                archiveFolder: Archive.standardFolder(environment: environment),
                defaultOutput: ScanOrder.defaultOutput,
                run: String(UInt64(Date().timeIntervalSince1970 * 1000), radix: 36),
                sinks: { try SinksCommand.book().sinks.keys.sorted() })
            let server = WebServer(house, names: arguments.texts(name)) { line in
                guard console.isVerbose else { return }
                console.warn(line.json)
            }
            let listener: HTTPListener
            do {
                listener = try HTTPListener(address: address, port: port, handler: server)
            } catch let error as ListenError {
                console.warn("copystand: " + error.message)
                return ExitCode.usage
            }
            let shown = address.contains(":") ? "[\(address)]" : address
            console.say("Listening on http://\(shown):\(listener.port). Ctrl-C stops.")
            await house.watch()
            console.say("Stopping: what is being captured is delivered first.")
            // Not in the cancelled task: what is captured must still be delivered.
            await Task { await server.shutDown() }.value
            await listener.stop()
            return .done
        }
        await recogniser.shutdown()
        return code
    }

    /// The address and port of `ADDRESS:PORT`.
    private static func place(_ text: String, _ path: [String]) throws -> (String, UInt16) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else {
            throw UsageError(
                .invalidValue(
                    text, expected: "an address and a port, such as 127.0.0.1:8470 or [::1]:8470"),
                argument: "--listen", path: path)
        }
        var address = String(text[..<colon])
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = String(address.dropFirst().dropLast())
        }
        guard address == "::1" || address.hasPrefix("127.") else {
            throw UsageError(
                .refused(
                    "names an address that other machines can reach, and this host can't tell yet who may use it. Listen on "
                        + "127.0.0.1 or [::1], behind a tunnel or a proxy that asks for a password"),
                argument: "--listen", path: path)
        }
        return (address, port)
    }
}

extension LogLine {
    /// The line as JSON.
    fileprivate var json: String {
        let microseconds = Int(milliseconds * 1000)
        return
            "{\"method\":\"\(method.filter(\.isLetter))\",\"route\":\"\(route)\",\"status\":\(status),\"microseconds\":\(microseconds),\"peer\":\"\(peer)\"}"
    }
}
