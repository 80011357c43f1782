import CaptureHost
import CaptureKit
import Clocks
import CommandLine
import ExpectedFailures
import FoundationEssentials
import Glibc
import HTTPServer
import Readers
import ScanService
import TemporaryFolders
import UserFiles
import WebServer

/// `copystand backend dev`: runs a backend during its development, with a separate host.
enum BackendDev {
    private static let folder = Argument(
        "FOLDER", .one, .path, help: "The backend's folder, with its backend.json.",
        completion: .folders)
    private static let port = Option(
        "port", value: "PORT", .integer(0...65_535),
        help: "Where the web page is, on this machine only; 8472 unless given.")

    static let command = Command(
        name: "dev", summary: "Run a backend while you write it, with its pictures in the browser",
        discussion: """
            Runs the backend in FOLDER with a host of its own, and prints the address of a web \
            page that has only the backend's devices. Watch a camera there to see its live frames, \
            or scan to see its pages.

            When something in FOLDER changes, the backend is restarted, and live frames continue \
            with the new program. If FOLDER has a program 'build', it runs first. The backend's \
            output, and what is wrong with it, are shown immediately.

            Documents, jobs and settings are in a temporary folder, which is removed at the end; \
            your own are not touched.

            With COPYSTAND_ATTACH=PATH the host does not start the backend, but waits for it. Start \
            its program in a debugger with the same variable. PATH is the path of a socket, which \
            only you can connect to; its last part is the backend's id.
            """,
        examples: [
            Example("While you write it", "copystand backend dev ./mycam"),
            Example(
                "In a debugger: the host, and then the program",
                "COPYSTAND_ATTACH=/run/user/1000/mycam copystand backend dev ./mycam"),
            Example(
                "With every message", "copystand backend trace ./mycam -- backend dev ./mycam"),
        ],
        arguments: [folder], options: [port], handler: handler(run))

    /// The reason why a host ended.
    private enum End { case canceled, newManifest }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        OpenFiles.raiseLimit()
        let name = arguments.text(folder) ?? ""
        let folder = absolutePath(name)
        guard access(folder + "/backend.json", R_OK) == 0 else {
            throw UsageError(
                .refused("is not a backend's folder: it has no backend.json"), argument: name,
                path: arguments.path)
        }
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let workers = ProcessInfo.processInfo.activeProcessorCount
        let recognizer = Readers(workers: workers)
        var port = UInt16(arguments.integer(port) ?? 8472)
        var sources = BackendSources(folder)
        var end = End.newManifest
        try await BackendBuild.run(in: folder, console)
        while case .newManifest = end, !Task.isCancelled {
            do {
                end = try await serve(
                    &sources, Place(scratch: scratch, recognizer: recognizer, port: port), console
                ) {
                    // A new host keeps the port, so the page stays at its address.
                    port = $0
                }
            } catch let error as ListenError {
                console.warn(
                    "copystand: " + error.message.replacing("--listen", with: "--port"))
                await recognizer.shutdown()
                return .usage
            }
        }
        await recognizer.shutdown()
        return .done
    }

    /// The settings of a host.
    private struct Place {
        var scratch: ScratchFolder
        var recognizer: Readers
        var port: UInt16
    }

    /// Serves the backend until the task is canceled or the manifest changes.
    private static func serve(
        _ sources: inout BackendSources, _ place: Place, _ console: Console,
        listening: (UInt16) -> Void
    ) async throws -> End {
        let folder = sources.folder
        let configure = { (configuration: inout HostConfiguration) in
            configuration.backendFolders = [folder + "/backend.json"]
            configuration.ownBackendFolders = []
            configuration.stateFile = place.scratch.path + "/devices.json"
            configuration.log = { line in
                console.warn("\(line.backend): \(line.level.map { "\($0): " } ?? "")\(line.text)")
            }
        }
        return try await withCaptureHost(console, configure: configure) { host in
            let context = try ServerContext.standard(
                host: host, recognizer: place.recognizer, environment: place.scratch.environment,
                servesShares: false)
            let server = WebServer(
                context, names: [], tokens: nil, isSecure: false, authority: nil,
                tell: { console.warn($0) }, log: { _ in })
            let listener = try HTTPListener(
                address: "127.0.0.1", port: place.port, identity: nil, counters: server.counters,
                handler: server)
            listening(listener.port)
            let end = await withTaskGroup(of: Void.self) { group in
                group.addTask { await context.watch() }
                defer { group.cancelAll() }
                return await follow(&sources, host, at: listener.port, console)
            }
            await Task { await server.shutDown() }.value
            await listener.stop()
            return end
        }
    }

    /// Starts the backend again whenever its folder changes.
    private static func follow(
        _ sources: inout BackendSources, _ host: CaptureHost, at port: UInt16, _ console: Console
    ) async -> End {
        let report = await host.backends().first
        sources.program = report?.program
        // These changes are from the build.
        _ = sources.changes()
        let id = report?.id ?? ""
        console.say("Listening on http://127.0.0.1:\(port). Ctrl-C stops.")
        await show(id, host, at: port, console)
        let changes = FolderChanges()
        let clock: any Clock<Duration> = ContinuousClock()
        while !Task.isCancelled {
            let isWatched = changes.watch(sources.folders)
            // A folder that can't be watched is examined every second.
            await changes.wait(atMost: isWatched ? 3600 : 1)
            // An editor writes several files, and a build writes for a while.
            await clock.pause(for: .milliseconds(200))
            let changed = sources.changes()
            if changed.isEmpty || Task.isCancelled { continue }
            let names = changed.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            console.say("Changed: \(names.prefix(5).joined(separator: ", ")).")
            if changed.contains(sources.folder + "/backend.json") || report?.program == nil {
                await repeatedSoon { try await BackendBuild.run(in: sources.folder, console) }
                return .newManifest
            }
            if changed != [sources.program] {
                await repeatedSoon { try await BackendBuild.run(in: sources.folder, console) }
            }
            _ = sources.changes()
            await host.restart(
                id, because: "the backend '\(id)' was started again, because its folder changed")
            await show(id, host, at: port, console)
        }
        return .canceled
    }

    /// Shows the backend's devices or its fault, and the address of the web page.
    private static func show(
        _ id: String, _ host: CaptureHost, at port: UInt16, _ console: Console
    ) async {
        let listing = await host.listDevices()
        if Task.isCancelled { return }
        for problem in listing.problems { console.warn(problem) }
        for device in listing.devices {
            let view = device.descriptor.kind == .camera ? "live" : "scan"
            console.say(
                "\(device.id)  \(device.descriptor.name): http://127.0.0.1:\(port)/#\(view)")
        }
        if listing.devices.isEmpty, listing.problems.isEmpty {
            console.say("The backend '\(id)' lists no device.")
        }
    }
}

/// A temporary folder for a host's files, removed when the program ends.
private struct ScratchFolder: Sendable {
    var path: String { folder.path }
    private let folder: TemporaryFolder

    init() throws {
        do throws(TemporaryFolderError) {
            folder = try TemporaryFolder("dev")
        } catch {
            throw OutputFailure(message: error.message)
        }
    }

    /// The environment of a user whose folders are in this one.
    ///
    /// Only the host uses the folder: the backend finds its settings in the usual place.
    var environment: [String: String] {
        var variables = ProcessInfo.processInfo.environment
        for name in ["SPOOL", "ARCHIVE"] { variables["COPYSTAND_\(name)"] = nil }
        for kind in ["CONFIG", "DATA", "STATE", "CACHE"] {
            variables["XDG_\(kind)_HOME"] = path + "/" + kind.lowercased()
        }
        return variables
    }

    func remove() { folder.remove() }
}
