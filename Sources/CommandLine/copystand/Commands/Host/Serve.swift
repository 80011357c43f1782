import BlockingWork
import Archive
import CaptureHost
import CommandLine
import Delivery
import Documents
import FoundationEssentials
import Glibc
import HTTPServer
import JobOptions
import Processing
import Readers
import Recognition
import ScanService
import ScannerSharing
import WebServer
import Workers

/// `copystand serve`: the host as a daemon, for programs and browsers.
enum ServeCommand {
    private static let listen = Option(
        "listen", value: "ADDRESS:PORT", .name,
        help:
            "Where to listen; 127.0.0.1:8470 unless given. Where other machines can reach it, everyone needs a token."
    )
    private static let name = Option(
        "name", value: "NAME", .name,
        help: "A name of this host besides localhost.", isRepeated: true)
    private static let askForToken = Option(
        flag: "token", help: "Ask for a token on this machine's own addresses too.")
    private static let tls = Option(
        flag: "tls",
        help:
            "Use HTTPS (TLS 1.2 and 1.3), with a certificate that the host makes unless one is given."
    )
    private static let certificate = Option(
        "certificate", value: "FILE", .path, help: "The certificate for HTTPS, as PEM.")
    private static let key = Option(
        "key", value: "FILE", .path, help: "The certificate's key, as PEM.")
    private static let share = Option(
        flag: "share",
        help:
            "Serve the devices that 'copystand share' names as scanners to every machine on the network."
    )
    private static let sharePort = Option(
        "share-port", value: "PORT", .integer(0...65_535),
        help: "The port for shared scanners; \(SharingSettings.usualPort) unless given.")
    private static let shareWith = Option(
        "share-with", value: "NETWORK", .name,
        help:
            "A network that may scan, such as 192.168.1.0/24; those of this machine's interfaces unless given.",
        isRepeated: true)

    private static let process = Option(
        "process", value: "WHERE", .choice(ProcessingPlace.allCases.map(\.rawValue)),
        help: """
            Where pages that go only into the shared archive are processed: here (the default), \
            later by a worker ('copystand work'), or by a worker in bulk, after all jobs that were \
            left with 'later'.
            """)

    static let command = Command(
        name: "serve", summary: "Run the host as a daemon with an HTTP API",
        discussion: """
            Answers on http://127.0.0.1:8470 until Ctrl-C or SIGTERM. Then captured pages are \
            delivered, and the program ends \
            within ten seconds: anything not delivered by then stays in 'copystand jobs' or \
            'copystand outbox'. Open that address in a browser, or let programs use its API, which \
            is described at \
            /api/v1/openapi.json and in Docs/developers/WebAPI.md.

            Where other machines can reach it, it asks for a token. Each start in a terminal shows a \
            QR code and an address that sign in one browser. The first start also makes a token and \
            shows it once; 'copystand token' makes more, also with fewer rights. Clients that try \
            wrong tokens are slowed down and logged. Without --tls, everyone on the network can \
            read a token.

            With --archive postgresql://… this machine is a station that shares an archive with \
            others. With --process later, workers process what its devices capture. Files, and \
            documents that go to other places as well, are processed here.

            It also watches the folders that 'copystand watch-folder DIR --always' has named.

            With --verbose every request is a line on standard error: a JSON object with "method", \
            "route", "status", \
            "microseconds" and "peer".
            """,
        examples: [
            Example("Serve this machine", "copystand serve"),
            Example("On another port", "copystand serve --listen 127.0.0.1:9000"),
            Example(
                "A station that leaves its pages to workers",
                "copystand serve --archive postgresql://db/scans --process later"),
            Example(
                "For the whole network",
                "copystand serve --listen 0.0.0.0:8470 --tls --name scans.local"),
        ],
        options: [
            listen, name, askForToken, tls, certificate, key, share, sharePort, shareWith,
            ArchiveOptions.folder, process,
        ], handler: handler(run))

    /// What the arguments ask for.
    private struct Request {
        let arguments: ParsedArguments
        let address: String
        let port: UInt16
        let archive: String
        let kept: KeptFolders
        let processing: ProcessingPlace
        let tokens: AccessTokens?
        let identity: HTTPListener.Identity?
        let sharing: HostSharing.Request?
        let environment: [String: String]

        /// True if only this machine reaches the host.
        var isOwn: Bool { ServeCommand.isOwn(address) }
    }

    private static func isOwn(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.")
    }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        OpenFiles.raiseLimit()
        // Watched folders and sinks that are named later deliver there as well.
        if let place = arguments.text(ArchiveOptions.folder) {
            setenv("COPYSTAND_ARCHIVE", place, 1)
        }
        let request = try await request(arguments, console)
        let workers = ProcessInfo.processInfo.activeProcessorCount
        let recognizer = Readers(workers: workers)
        let code = try await withCaptureHost(console) { host in
            try await serve(request, host: host, recognizer: recognizer, console)
        }
        await recognizer.shutdown()
        return code
    }

    private static func request(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> Request {
        let wanted = arguments.text(listen) ?? "127.0.0.1:8470"
        let (address, port) = try place(wanted, arguments.path)
        let environment = ProcessInfo.processInfo.environment
        let archive = try Archive.standardPlace(environment: environment)
        try await checkArchive(at: archive, console)
        let kept = try KeptFolders(environment: environment)
        try kept.check()
        let processing =
            arguments.text(process).flatMap(ProcessingPlace.init(rawValue:)) ?? .here
        if processing != .here { _ = try WorkCommand.sharedPlace(arguments) }
        let tokens =
            isOwn(address) && !arguments.isGiven(askForToken)
            ? nil : try AccessTokens.standard(environment: environment)
        let identity = try ServerIdentity.wanted(
            isTLS: arguments.isGiven(tls), certificate: arguments.text(certificate),
            key: arguments.text(key), names: arguments.texts(name),
            isOnNetwork: !isOwn(address), environment: environment, path: arguments.path,
            tell: { console.say($0) })
        return Request(
            arguments: arguments, address: address, port: port, archive: archive, kept: kept,
            processing: processing, tokens: tokens, identity: identity,
            sharing: try sharingRequest(of: arguments, identity), environment: environment)
    }

    /// Serves until the task is canceled.
    private static func serve(
        _ request: Request, host: CaptureHost, recognizer: Readers, _ console: Console
    ) async throws -> ExitCode {
        let context = try ServerContext.standard(
            host: host, recognizer: recognizer, environment: request.environment,
            servesShares: request.arguments.isGiven(share), processing: request.processing)
        let server = server(context, request, console)
        let listener: HTTPListener
        do throws(ListenError) {
            listener = try HTTPListener(
                address: request.address, port: request.port, identity: request.identity,
                counters: server.counters, handler: server)
        } catch {
            console.warn("copystand: " + error.message)
            return .usage
        }
        try greet(server, at: listener.port, request, console)
        let sharing: HostSharing?
        do {
            sharing = try request.sharing.map {
                try HostSharing(
                    $0, host: host, recognizer: recognizer, counters: server.counters, console)
            }
        } catch let error as ListenError {
            // The server's messages name its own address.
            console.warn("copystand: " + error.message.replacing("--listen", with: "--share-port"))
            await listener.stop()
            return .usage
        }
        try await watch(context, sharing: sharing, request, console)
        console.say("Stopping: what is being captured is delivered first.")
        // This runs outside of the canceled task, because captured pages must still be
        // delivered.
        await Task { await server.shutDown() }.value
        await Task { await sharing?.stop() }.value
        await listener.stop()
        return .done
    }

    private static func server(
        _ context: ServerContext, _ request: Request, _ console: Console
    ) -> WebServer {
        let names = request.arguments.texts(name)
        let hasOwnAuthority = request.arguments.text(certificate) == nil
        return WebServer(
            context, names: names + (request.isOwn ? [] : ThisMachine.names),
            tokens: request.tokens, isSecure: request.identity != nil,
            authority: hasOwnAuthority ? request.identity?.authority?.text : nil,
            tell: { console.warn($0) }
        ) { line in
            guard console.isVerbose else { return }
            console.warn(line.json)
        }
    }

    /// Says where the host listens, and how to sign in.
    private static func greet(
        _ server: WebServer, at port: UInt16, _ request: Request, _ console: Console
    ) throws {
        let place = ServedAddress(
            address: request.address, port: port, isSecure: request.identity != nil,
            names: request.arguments.texts(name))
        console.say("Listening on \(place.text). Ctrl-C stops.")
        if let hash = request.identity?.keyHash {
            console.say(
                "Programs on other machines recognize it with: --host-key sha256//\(Data(hash).base64EncodedString())"
            )
        }
        let isFirst = try request.tokens.map { try firstToken($0, console) } ?? false
        // Others can read a service's log, so a code is written there only at the first start.
        if !request.isOwn, isFirst || console.error.isTerminal, let code = server.signInCode() {
            try place.invite(code, console)
        }
    }

    /// Does the host's own work, such as resuming jobs and watching folders, until the task is
    /// canceled.
    private static func watch(
        _ context: ServerContext, sharing: HostSharing?, _ request: Request, _ console: Console
    ) async throws {
        if !request.isOwn, request.identity == nil {
            console.warn(
                "Without --tls, everyone on this network can read the pages and tokens that are sent."
            )
        }
        for problem in await onOwnThread({ request.kept.problems }) { console.warn(problem) }
        for job in await context.resumeLeft() {
            console.warn(
                "The host ended in the middle of the job \(job). What it captured is delivered now."
            )
        }
        let station =
            try Archive.isShared(request.archive)
            ? StationPresence(
                for: request.archive, store: .standard(environment: request.environment),
                version: Program.version) : nil
        let folders = try RememberedFolders(environment: request.environment).all()
        for folder in folders { console.say("Watching '\(folder.path)'.") }
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await FolderWatchers().run(folders, console) }
                group.addTask { await context.watch() }
                group.addTask { await sharing?.watch() }
                group.addTask { await station?.announce() }
            }
        } onCancel: {
            ShutdownDeadline.start(after: 9, console)
        }
    }

    /// The sharing settings; nil without sharing.
    private static func sharingRequest(
        of arguments: ParsedArguments, _ identity: HTTPListener.Identity?
    ) throws -> HostSharing.Request? {
        guard arguments.isGiven(share) else { return nil }
        let networks = try arguments.texts(shareWith).map { text in
            guard let network = Network(text) else {
                throw UsageError(
                    .invalidValue(text, expected: "a network, such as 192.168.1.0/24 or fd00::/8"),
                    argument: "--share-with", path: arguments.path)
            }
            return network
        }
        return HostSharing.Request(
            port: arguments.integer(sharePort).flatMap(UInt16.init) ?? SharingSettings.usualPort,
            names: arguments.texts(name), allowed: networks.isEmpty ? nil : networks,
            identity: identity)
    }

    /// Makes the first token and shows it once; false when there is one already.
    private static func firstToken(_ tokens: AccessTokens, _ console: Console) throws -> Bool {
        guard let token = try tokens.makeFirst() else { return false }
        console.say("The token to sign in with, which is not shown again: \(token)")
        return true
    }

    /// Refuses the address of a database without an archive; accepts one that does not answer now,
    /// because it may later.
    private static func checkArchive(at place: String, _ console: Console) async throws {
        if let notice = Archive.ownerNotice(of: place) { console.warn(notice) }
        guard Archive.isShared(place) else { return }
        do { _ = try await onOwnThread { try Archive.open(place, .readWrite) } } catch let error
            as ArchiveError where error.code == .unreachable
        { console.warn("copystand: " + error.message) }
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
