import FoundationEssentials
import HTTPServer
import Testing

@testable import WebServer

/// Tests the rights of each scope by a hand-written table.
@Suite struct ScopeTests {
    /// Every route except the page's files, with the least scope that may use it.
    private static let table = """
        GET / open
        GET /health open
        GET /copystand-ca.crt open
        GET /metrics admin
        GET /api/v1/openapi.json open
        GET /api/v1/session open
        POST /api/v1/session open
        DELETE /api/v1/session open
        GET /api/v1/tokens admin
        POST /api/v1/tokens admin
        DELETE /api/v1/tokens/{name} admin
        GET /api/v1/events scan
        GET /api/v1/devices scan
        GET /api/v1/devices/{id} scan
        GET /api/v1/devices/{id}/options scan
        POST /api/v1/devices/{id}/check scan
        GET /api/v1/shares scan
        PUT /api/v1/shares/{device} admin
        PATCH /api/v1/shares/{device} admin
        DELETE /api/v1/shares/{device} admin
        GET /api/v1/aliases scan
        PUT /api/v1/aliases/{alias} admin
        DELETE /api/v1/aliases/{alias} admin
        PUT /api/v1/default-device admin
        DELETE /api/v1/default-device admin
        GET /api/v1/profiles scan
        GET /api/v1/profiles/{name} scan
        GET /api/v1/profiles/{name}/form scan
        PUT /api/v1/profiles/{name} admin
        DELETE /api/v1/profiles/{name} admin
        POST /api/v1/profile-check admin
        GET /api/v1/steps scan
        GET /api/v1/languages scan
        POST /api/v1/uploads scan
        GET /api/v1/job-options scan
        GET /api/v1/jobs scan
        POST /api/v1/jobs scan
        GET /api/v1/jobs/{id} scan
        DELETE /api/v1/jobs/{id} scan
        GET /api/v1/jobs/{id}/result scan
        POST /api/v1/jobs/{id}/stop scan
        POST /api/v1/jobs/{id}/answer scan
        POST /api/v1/jobs/{id}/resume scan
        POST /api/v1/jobs/{id}/continue scan
        GET /api/v1/jobs/{id}/pages/{number}/thumbnail scan
        POST /api/v1/jobs/{id}/capture scan
        GET /api/v1/jobs/{id}/live scan
        GET /api/v1/jobs/{id}/live/frame scan
        GET /api/v1/jobs/{id}/live/events scan
        PUT /api/v1/jobs/{id}/live/region scan
        POST /api/v1/previews scan
        GET /api/v1/previews/{id} scan
        DELETE /api/v1/previews/{id} scan
        GET /api/v1/previews/{id}/picture scan
        GET /api/v1/documents read
        GET /api/v1/search read
        GET /api/v1/documents/{id} read
        PATCH /api/v1/documents/{id} scan
        GET /api/v1/documents/{id}/pages/{number} read
        GET /api/v1/documents/{id}/pages/{number}/image read
        GET /api/v1/documents/{id}/pages/{number}/thumbnail read
        GET /api/v1/documents/{id}/export read
        GET /api/v1/documents/{id}/originals/{number} read
        POST /api/v1/documents/{id}/send scan
        POST /api/v1/documents/{id}/review scan
        POST /api/v1/documents/{id}/trash scan
        POST /api/v1/documents/{id}/restore scan
        POST /api/v1/documents/{id}/undo scan
        GET /api/v1/documents/{id}/suggestions read
        GET /api/v1/about read
        GET /api/v1/workers read
        GET /api/v1/arrivals read
        POST /api/v1/documents/{id}/redo scan
        POST /api/v1/bulk scan
        GET /api/v1/fields read
        POST /api/v1/profile-preview admin
        GET /api/v1/tags read
        GET /api/v1/documents/{id}/history read
        GET /api/v1/history admin
        DELETE /api/v1/documents/{id} scan
        DELETE /api/v1/trash scan
        POST /api/v1/session/codes admin
        GET /api/v1/images/{hash} read
        GET /api/v1/outbox scan
        POST /api/v1/outbox/{id}/retry scan
        DELETE /api/v1/outbox/{id} scan
        GET /api/v1/sinks scan
        GET /api/v1/sink-kinds scan
        POST /api/v1/sinks admin
        GET /api/v1/sinks/{name} admin
        PATCH /api/v1/sinks/{name} admin
        POST /api/v1/sinks/{name}/test scan
        DELETE /api/v1/sinks/{name} admin
        """

    private struct Row {
        var method: String
        var path: String
        var least: String

        /// The path with a value for each parameter.
        var place: [String] {
            path.split(separator: "/").map { $0.hasPrefix("{") ? "1" : String($0) }
        }
    }

    private static let rows = table.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return Row(method: words[0], path: words[1], least: words[2])
    }

    private static let order = ["open", "read", "scan", "admin"]

    @Test("Every route is in the table, and the page's files are public")
    func whole() throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let (files, others) = setup.server.router.routes.reduce(into: ([Route](), [Route]())) {
            $1.group == "Page" && !$1.path.isEmpty ? $0.0.append($1) : $0.1.append($1)
        }
        let there = others.map { $0.method + " /" + $0.path.joined(separator: "/") }
        #expect(Set(there).symmetricDifference(Self.rows.map { $0.method + " " + $0.path }) == [])
        #expect(there.count == Self.rows.count)
        #expect(files.count > 40)
        for file in files {
            #expect(file.access == .open && file.method == "GET" && file.path.first != "api")
        }
    }

    @Test(
        "Each scope may use its own routes, and no others",
        arguments: [nil] + AccessScope.allCases)
    func scopes(_ scope: AccessScope?) throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let token = try scope.map { try setup.tokens.make(name: "one", scope: $0) }
        for row in Self.rows {
            let has = scope.map { Self.order.firstIndex(of: $0.rawValue) ?? 0 } ?? 0
            let needs = try #require(Self.order.firstIndex(of: row.least))
            let expected = has >= needs ? nil : scope == nil ? 401 : 403
            let methods = row.method == "GET" ? ["GET", "HEAD"] : [row.method]
            for method in methods {
                #expect(
                    setup.refusal(method, row.place, token: token) == expected,
                    "\(method) \(row.path) with \(scope?.rawValue ?? "no token")")
            }
        }
    }

    @Test("A refusal names the scope that is needed")
    func refusal() throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let token = try setup.tokens.make(name: "guest", scope: .read)
        let head = ServerSetup.head("GET", ["api", "v1", "devices"], token: token)
        guard case .refused(let answer) = setup.server.admit(head),
            case .bytes(let bytes) = answer.body
        else {
            Issue.record("it was let in")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(answer.status == 403)
        #expect(text.contains(#""code":"scope-too-narrow""#))
        #expect(text.contains("of scope 'scan'") && text.contains("has 'read'"))
        #expect(
            answer.headers.contains {
                $0.name == "WWW-Authenticate" && $0.value.contains(#"scope="scan""#)
            })
    }

    @Test("A token that was removed, or allows less now, is refused when the body has arrived")
    func meanwhile() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let token = try setup.tokens.make(name: "boss", scope: .admin)
        let path = ["api", "v1", "tokens"]
        #expect(setup.refusal("POST", path, token: token) == nil)
        try setup.tokens.remove(name: "boss")
        let body = #"{"name": "mine", "scope": "admin"}"#
        #expect(await setup.answer("POST", path, token: token, body: body).status == 401)
        #expect(try setup.tokens.all().isEmpty)
    }

    @Test(
        "A client gets its rights",
        arguments: [
            (nil, #"{"isOpen":false,"needsToken":true}"#),
            (.read, #"{"isOpen":true,"name":"one","needsToken":true,"scope":"read","sees":"all"}"#),
            (.scan, #"{"isOpen":true,"name":"one","needsToken":true,"scope":"scan","sees":"all"}"#),
            (
                .admin,
                #"{"isOpen":true,"name":"one","needsToken":true,"scope":"admin","sees":"all"}"#
            ),
        ] as [(AccessScope?, String)])
    func session(_ scope: AccessScope?, _ expected: String) async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let token = try scope.map { try setup.tokens.make(name: "one", scope: $0) }
        let answer = await setup.answer("GET", ["api", "v1", "session"], token: token)
        #expect(answer.status == 200 && answer.text == expected)
    }

    @Test("If no token is needed, everyone may do everything")
    func open() async throws {
        let setup = try ServerSetup(asks: false)
        defer { setup.remove() }
        for row in Self.rows {
            #expect(setup.refusal(row.method, row.place, token: nil) == nil, "\(row.path)")
        }
        let answer = await setup.answer("GET", ["api", "v1", "session"], token: nil)
        let expected = #"{"isOpen":true,"needsToken":false,"scope":"admin","sees":"all"}"#
        #expect(answer.text == expected)
    }

    @Test("The description says which scope each route needs")
    func described() async throws {
        struct Described: Decodable {
            struct Operation: Decodable { var security: [[String: [String]]] }
            var paths: [String: [String: Operation]]
        }
        let setup = try ServerSetup()
        defer { setup.remove() }
        let answer = await setup.answer("GET", ["api", "v1", "openapi.json"], token: nil)
        let paths = try JSONDecoder().decode(Described.self, from: Data(answer.text.utf8)).paths
        for row in Self.rows where row.path != "/" && row.path != "/api/v1/openapi.json" {
            let operation = try #require(paths[row.path]?[row.method.lowercased()], "\(row.path)")
            let expected: [[String: [String]]] =
                row.least == "open" ? [[:]] : [["token": [row.least]], [:]]
            #expect(operation.security == expected, "\(row.method) \(row.path)")
        }
    }
}
