import FoundationEssentials
import Glibc
import HTTPServer
import Synchronization
import Testing

@testable import WebServer

/// Tests codes that sign in one browser each.
@Suite struct SignInTests {
    private static let path = ["api", "v1", "session"]

    /// Signs in by a code, and returns the answer and its cookie.
    private func signIn(
        _ setup: ServerSetup, _ code: String, agent: String = "Mozilla/5.0 (Linux) Firefox/140.0"
    ) async -> (status: Int, cookie: String?) {
        let head = HTTPRequestHead(
            method: "POST", path: Self.path,
            headers: [
                ("Host", "localhost"), ("User-Agent", agent), ("Content-Type", "application/json"),
            ], peer: "192.0.2.7")
        let answer = await setup.server.respond(
            to: HTTPRequest(head: head, body: .bytes(Array(#"{"code": "\#(code)"}"#.utf8))))
        let cookie = answer.headers.first { $0.name == "Set-Cookie" }?.value
        return (answer.status, cookie?.split(separator: ";").first.map(String.init))
    }

    @Test("A code signs in once, and becomes a token that can be removed")
    func once() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let code = try #require(setup.server.signInCode())
        let first = await signIn(setup, code)
        #expect(first.status == 204)
        let names = try setup.tokens.all().map(\.name)
        #expect(names == ["Firefox, Linux"])
        let head = HTTPRequestHead(
            method: "GET", path: Self.path,
            headers: [("Host", "localhost"), ("Cookie", first.cookie ?? "")], peer: "192.0.2.7")
        let session = await setup.server.respond(to: HTTPRequest(head: head))
        guard case .bytes(let bytes) = session.body else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""name":"Firefox, Linux""#) && text.contains(#""scope":"admin""#))
        #expect(await signIn(setup, code).status == 401)
        #expect(try setup.tokens.all().count == 1)
        // Another browser of the same kind gets its own name.
        let other = try #require(setup.server.signInCode())
        #expect(await signIn(setup, other).status == 204)
        #expect(try setup.tokens.all().map(\.name) == ["Firefox, Linux", "Firefox, Linux 2"])
        try setup.tokens.remove(name: "Firefox, Linux")
        let after = await setup.server.respond(
            to: HTTPRequest(
                head: HTTPRequestHead(
                    method: "GET", path: ["api", "v1", "documents"],
                    headers: [("Host", "localhost"), ("Cookie", first.cookie ?? "")],
                    peer: "192.0.2.7")))
        #expect(after.status == 401)
    }

    @Test("A code is valid for a while, and guesses of codes are slowed like guesses of tokens")
    func limits() async throws {
        let clock = Mutex(0.0)
        let codes = SignInCodes(now: { clock.withLock { $0 } })
        let (early, late) = (codes.make(.read), codes.make(.scan))
        clock.withLock { $0 = SignInCodes.life - 1 }
        #expect(codes.use(early) { $0 } == .read)
        clock.withLock { $0 = SignInCodes.life }
        #expect(codes.use(late) { $0 } == nil)
        let many = (0...SignInCodes.most).map { _ in codes.make(.scan) }
        #expect(Set(many).count == many.count)
        #expect(codes.use(many[0]) { $0 } == nil && codes.use(many[1]) { $0 } == .scan)

        // While the clock stands still, no guess is forgotten.
        let setup = try ServerSetup()
        defer { setup.remove() }
        let gate = Gate(tokens: setup.tokens, isSecure: false, now: { 0 })
        let statuses = (0..<12).map { number in
            do {
                _ = try gate.signIn(code: "guess\(number)", Self.head(from: "192.0.2.7"))
                return 204
            } catch { return Problem(error).status }
        }
        #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
        // A correct code does not help a client that guesses, and is not used up.
        let code = gate.codes.make(.read)
        #expect(throws: (any Error).self) {
            try gate.signIn(code: code, Self.head(from: "192.0.2.7"))
        }
        _ = try gate.signIn(code: code, Self.head(from: "192.0.2.8"))
    }

    @Test("A code ends with the token or session that made it, unless the program made the token")
    func ofRemoved() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let gate = try #require(setup.server.gate)
        func code(of token: String) throws -> String {
            let grant = try #require(setup.tokens.grant(for: token))
            return gate.codes.make(.admin, by: grant.isBrief ? nil : grant)
        }
        let token = try setup.tokens.make(name: "mallory", scope: .admin)
        let removed = try code(of: token)
        try setup.tokens.remove(name: "mallory")
        #expect(await signIn(setup, removed).status == 401)
        let brief = try setup.tokens.make(name: "open", scope: .admin, isBrief: true)
        let kept = try code(of: brief)
        try setup.tokens.remove(name: "open")
        #expect(await signIn(setup, kept).status == 204)
        // The code of a session ends when it signs out.
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let cookie = try gate.signIn(token: boss, Self.head(from: "192.0.2.9"))
        let session = try #require(setup.tokens.grant(forSession: AccessTokens.hash(cookie)))
        let left = gate.codes.make(.admin, by: session)
        try setup.tokens.endSession(cookie)
        #expect(await signIn(setup, left).status == 401)
    }

    private static func head(from peer: String) -> HTTPRequestHead {
        HTTPRequestHead(method: "POST", path: path, headers: [], peer: peer)
    }

    @Test("A code that could not sign in is not used up, and of two browsers with one, one gets in")
    func failed() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let code = try #require(setup.server.signInCode())
        // The list of tokens can't be read, and so not written either.
        _ = try setup.tokens.make(name: "boss", scope: .admin)
        chmod(setup.folder + "/tokens.json", 0o644)
        #expect(await signIn(setup, code).status == 500)
        chmod(setup.folder + "/tokens.json", 0o600)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 { group.addTask { await signIn(setup, code).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [204, 401])
        #expect(try setup.tokens.all().count == 2)
    }

    @Test("Fifty browsers that sign in at the same moment all get in, each with its own name")
    func many() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let listener = try HTTPListener(address: "127.0.0.1", port: 0, handler: setup.server)
        let codes = (0..<50).map { _ in setup.server.signInCode() ?? "" }
        let answers = await withTaskGroup(of: WebPeer.Answer.self) { group in
            for code in codes {
                group.addTask { [port = listener.port] in
                    await WebPeer(port).answer(
                        "POST", "/api/v1/session", body: #"{"code": "\#(code)"}"#)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.status) == Array(repeating: 204, count: 50))
        #expect(Set(answers.map(\.cookie)).count == 50)
        #expect(Set(try setup.tokens.all().map(\.name)).count == 50)
        for answer in answers {
            let session = await WebPeer(listener.port).answer(
                "GET", "/api/v1/documents", cookie: answer.cookie)
            #expect(session.status == 200)
        }
        await listener.stop()
    }

    @Test("Of many clients that make a token with one name, one gets it, and the others learn why")
    func sameName() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await setup.answer(
                        "POST", ["api", "v1", "tokens"], token: boss, body: #"{"name": "x"}"#
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
    }

    @Test("Only administrators can make codes, and the QR code has the address")
    func making() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let path = Self.path + ["codes"]
        let scan = try setup.tokens.make(name: "tablet")
        #expect(await setup.answer("POST", path, token: scan, body: "{}").status == 403)
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let made = await setup.answer("POST", path, token: boss, body: #"{"scope": "read"}"#)
        #expect(made.status == 201)
        struct Told: Decodable {
            var code: String
            var address: String
            var qr: [String]
        }
        let told = try JSONDecoder().decode(Told.self, from: Data(made.text.utf8))
        #expect(told.address == "http://localhost/#signin/\(told.code)")
        #expect(told.qr.count >= 21 && told.qr.allSatisfy { $0.count == told.qr.count })
        // The corner of a QR code (ISO/IEC 18004) has seven dark fields.
        #expect(told.qr.first?.hasPrefix("1111111") == true)
        #expect(await signIn(setup, told.code).status == 204)
        #expect(try setup.tokens.all().first { $0.name.hasPrefix("Firefox") }?.scope == .read)
        let open = try ServerSetup(asks: false)
        defer { open.remove() }
        #expect(await open.answer("POST", path, token: nil, body: "{}").status == 409)
    }

    @Test(
        "A browser has the name that its user knows",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1",
                "Safari, iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 16) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome, Android"
            ),
            ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
            ("curl/8", "Browser"), (nil, "Browser"),
        ] as [(String?, String)])
    func names(_ agent: String?, _ name: String) {
        #expect(BrowserName.name(of: agent) == name)
    }
}
