import Archive
import Delivery
import Documents
import Glibc
import GuardedFiles
public import HTTPServer
import Synchronization
import WebPage

/// The host's answers over HTTP: `/api/v1`, events, health and metrics.
///
///     let server = WebServer(context)
///     let listener = try HTTPListener(address: "127.0.0.1", port: 8470, handler: server)
///     …
///     await server.shutDown()
///     await listener.stop()
public final class WebServer: HTTPHandler {
    let context: ServerContext
    let router: Router
    private let check: HostCheck
    let gate: Gate?
    /// The listener's counts of refused and cut connections, for `/metrics`.
    public let counters = HTTPCounters()
    private let metrics: Metrics
    private let log: @Sendable (LogLine) -> Void

    /// The maximum number of bytes of JSON in a request.
    private static let bodyLimit = 1 << 20

    /// A server for a context.
    ///
    /// - Parameters:
    ///   - names: the machine's names besides its addresses and `localhost`.
    ///   - tokens: the tokens; nil to give access to anyone who reaches the port.
    ///   - isSecure: whether clients use TLS.
    ///   - authority: the certificate of the host's own authority, as PEM, for browsers to trust.
    ///   - tell: gets a line for the log about wrong tokens, at most once a minute.
    ///   - log: gets every answered request.
    public init(
        _ context: ServerContext, names: [String] = [], tokens: AccessTokens? = nil,
        isSecure: Bool = false, authority: String? = nil,
        tell: @escaping @Sendable (String) -> Void = { _ in },
        log: @escaping @Sendable (LogLine) -> Void = { _ in }
    ) {
        self.context = context
        self.log = log
        check = HostCheck(names: Set(names.map { $0.lowercased() }))
        gate = tokens.map { Gate(tokens: $0, isSecure: isSecure, tell: tell) }
        metrics = Metrics(wrongTokens: gate?.wrongTokens)
        let routes =
            DeviceRoutes(context: context).routes + DeviceNaming(context: context).routes
            + ShareRoutes(context: context).routes
            + ProfileRoutes(context: context).routes
            + ProfileEditing(context: context).routes
            + ProfileTrial(context: context).routes + JobRoutes(context: context).routes
            + JobOptionRoutes().routes
            + PictureRoutes(context: context).routes + PreviewRoutes(context: context).routes
            + LiveRoutes(context: context).routes + UploadRoutes(context: context).routes
            + SendingRoutes(context: context).routes
            + DocumentRoutes(context: context).routes + BulkRoutes(context: context).routes
            + HistoryRoutes(context: context).routes
            + ReviewRoutes(context: context).routes
            + SessionRoutes(gate).routes
            + EventRoutes(context: context).routes + OutboxRoutes(context: context).routes
            + SinkRoutes(context: context).routes + SinkSettingsRoutes(context: context).routes
            + TokenRoutes(gate).routes + WorkerRoutes(context: context).routes
            + ArrivalRoutes(context: context).routes
        let system = SystemRoutes(
            context, metrics: metrics, counters: counters, authority: authority)
        let described = OpenAPI(
            routes: routes + system.routes, schemas: Schemas.named(job: JobStatus.schema)
        ).text
        router = Router(
            routes: routes + system.routes + [SystemRoutes.description(described)]
                + [SharedFiles.route] + PageFiles.routes(run: context.run))
    }

    /// A code that signs in one browser with all rights, for the person who starts the host; nil if
    /// no token is needed.
    public func signInCode() -> String? { gate?.codes.make(.admin) }

    /// Stops all captures, and returns when every captured page is delivered or safe in the spool.
    public func shutDown() async {
        context.previews.shutDown()
        await context.jobs.shutDown()
    }

    /// Refuses requests of other sites' pages, clients without a needed token, unknown addresses,
    /// and unexpected bodies.
    public func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        do {
            try check.check(head)
            let (route, _) = try router.route(head.method, head.path)
            let grant = try grant(head, route)
            guard route.upload == nil else {
                let announced = head.header("Content-Length").flatMap { Int($0) } ?? 0
                let (path, limit) = try context.uploads.place(
                    announced: announced, for: client(grant, head.peer))
                return .file(
                    path: path, limit: limit,
                    grow: { [context] in context.uploads.grow(path, by: $0) },
                    drop: { [context] in context.uploads.forget(path) })
            }
            return .memory(limit: route.body == nil ? 0 : Self.bodyLimit)
        } catch {
            note(head, "none", error.status, milliseconds: 0)
            return .refused(finished(error.response))
        }
    }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let clock = ContinuousClock()
        let start = clock.now
        var name = "none"
        var scope = AccessScope.read
        let response: HTTPResponse
        do {
            let (route, parameters) = try router.route(request.head.method, request.head.path)
            name = "/" + route.path.joined(separator: "/")
            // The body may have arrived slowly, and the token may have been removed meanwhile.
            let grant = try grant(request.head, route)
            for (parameter, _) in request.head.query
            where !route.query.contains(where: { $0.name == parameter }) {
                throw Problem.invalid(
                    "'\(parameter)' is not known here. \(Self.known(route.query))")
            }
            if let schema = route.body, case .bytes(let body) = request.body {
                try BodyCheck(body)?.check(against: schema)
            }
            scope = grant?.scope ?? (gate == nil ? .admin : .read)
            let user = user(of: grant)
            try await OwnItems(context: context).check(route, parameters, user)
            let answer = try await route.work(
                Call(
                    request: request, parameters: parameters, scope: scope, user: user,
                    client: client(grant, request.head.peer))
            ).part(for: request.head)
            if let gate, let grant, case .scope(let needed) = route.access {
                response = gate.answers.watched(answer, for: grant, needs: needed)
            } else {
                response = answer
            }
        } catch {
            var problem = Problem(error)
            if scope < .admin { problem.detail = ForeignWords.removed(from: problem.detail) }
            response = problem.response
            if case .file(let path, _) = request.body {
                context.uploads.forget(path)
                GuardedFolder.removeFile(at: path)
            }
        }
        note(
            request.head, name, response.status,
            milliseconds: (clock.now - start) / .milliseconds(1))
        return finished(response)
    }

    /// A client's rights for a route; nil if no token is needed.
    private func grant(_ head: HTTPRequestHead, _ route: Route) throws(Problem)
        -> AccessTokens.Grant?
    {
        guard case .scope(let scope) = route.access else { return nil }
        return try gate?.check(head, needs: scope)
    }

    /// The client's identity: its token's name, or this program's user where none is needed.
    private func user(of grant: AccessTokens.Grant?) -> ArchiveUser {
        guard gate != nil else { return .ofThisProcess }
        return grant.map {
            ArchiveUser(name: $0.name, station: ThisStation.name, sees: $0.sees)
        } ?? .stranger
    }

    /// The client to which uploads, previews and live views belong: its token, or its address where
    /// none is needed.
    private func client(_ grant: AccessTokens.Grant?, _ peer: String) -> String {
        grant?.sha256 ?? PeerAddress(peer).client
    }

    private func note(_ head: HTTPRequestHead, _ route: String, _ status: Int, milliseconds: Double)
    {
        metrics.count(route, status: status, milliseconds: milliseconds)
        log(
            LogLine(
                method: head.method, route: route, status: status, milliseconds: milliseconds,
                peer: head.peer))
    }

    private static func known(_ parameters: [Route.Parameter]) -> String {
        parameters.isEmpty
            ? "No query is accepted here."
            : "The known ones are: " + parameters.map(\.name).joined(separator: ", ") + "."
    }

    /// Adds the headers that every answer has.
    private func finished(_ response: HTTPResponse) -> HTTPResponse {
        var response =
            response
            .with("X-Content-Type-Options", "nosniff").with("Referrer-Policy", "no-referrer")
            .with("Cross-Origin-Resource-Policy", "same-origin")
        for (name, value) in [
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ] where !response.headers.contains(where: { $0.name == name }) {
            response = response.with(name, value)
        }
        return response
    }
}

/// The log entry for an answered request: only the method is chosen by the client, so that no
/// secret gets there.
public struct LogLine: Sendable {
    /// The method.
    public let method: String
    /// The route, with names instead of values, such as `/api/v1/jobs/{id}`; `none` for an unknown
    /// address.
    public let route: String
    /// The status of the answer.
    public let status: Int
    /// The milliseconds until the answer.
    public let milliseconds: Double
    /// The client's address.
    public let peer: String
}
