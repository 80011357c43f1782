import Documents
import FoundationEssentials
import HTTPServer
import Testing

@testable import Archive
@testable import WebServer

/// Tests over real connections what ends with a session.
@Suite(.timeLimit(.minutes(2))) struct SignOutTests {
    private let setup: ServerSetup
    private let listener: HTTPListener
    /// More than the buffers of a connection hold.
    private static let size = 48 << 20

    init() throws {
        setup = try ServerSetup()
        listener = try HTTPListener(address: "127.0.0.1", port: 0, handler: setup.server)
    }

    private func end() async {
        await listener.stop()
        setup.remove()
    }

    private func ask(
        _ method: String, _ path: String, cookie: String? = nil, token: String? = nil,
        body: String? = nil
    ) async -> WebPeer.Answer {
        await WebPeer(listener.port).answer(
            method, "/api/v1" + path, cookie: cookie, token: token, body: body)
    }

    /// The cookie of a browser that signs in with a token, or with a code.
    private func signIn(_ token: String? = nil, cookie: String? = nil) async throws -> String {
        let key =
            try token.map { #""token": "\#($0)""# }
            ?? #""code": "\#(#require(setup.server.signInCode()))""#
        return try #require(
            await ask("POST", "/session", cookie: cookie, body: "{\(key)}").cookie)
    }

    /// Everything that a browser receives: events, and a picture that it reads slowly.
    private func receive(_ cookie: String) async throws -> (events: WebPeer, picture: WebPeer) {
        let archive = try Archive(folder: setup.folder + "/archive", .create)
        let addition = try archive.begin(
            DocumentInfo(
                title: "Large", created: 0, user: ArchiveUser(name: nil, station: "hall")))
        try addition.add(
            NewPage(
                page: Page(
                    number: 1, width: 6, height: 8, resolution: 100,
                    provenance: Provenance(device: "d", label: "l")),
                image: Array(repeating: 7, count: Self.size),
                media: "image/jpeg", thumbnail: [1]))
        let picture = try #require(try archive.archivedPage(1, of: addition.finish()))
        let (events, slow) = (WebPeer(listener.port), WebPeer(listener.port))
        #expect(await events.begin("GET", "/api/v1/events", cookie: cookie).status == 200)
        let answer = await slow.begin(
            "GET", "/api/v1/images/\(picture.image.hexadecimal)", cookie: cookie)
        #expect(answer.status == 200 && answer.length == Self.size)
        return (events, slow)
    }

    /// Checks that what a browser was receiving has ended, and its cookie too.
    private func expectEnd(of received: (events: WebPeer, picture: WebPeer), _ cookie: String) async
    {
        #expect(await received.picture.rest() < Self.size)
        _ = await received.events.rest()
        for (method, path) in [
            ("GET", "/documents"), ("GET", "/events"), ("POST", "/uploads"), ("GET", "/jobs"),
        ] {
            #expect(await ask(method, path, cookie: cookie).status == 401, "\(path)")
        }
        let session = await ask("GET", "/session", cookie: cookie)
        #expect(session.body.contains(#""isOpen":false"#))
        while setup.server.gate?.answers.count != 0 { await Task.yield() }
    }

    @Test("Signing out of a session made by a code ends it, what is being sent, and its token")
    func byCode() async throws {
        let cookie = try await signIn()
        let received = try await receive(cookie)
        let other = try await signIn()
        #expect(try setup.tokens.all().count == 2)
        let answer = await ask("DELETE", "/session", cookie: cookie)
        #expect(answer.status == 204 && answer.cookie == "copystand=")
        await expectEnd(of: received, cookie)
        #expect(try setup.tokens.all().count == 1)
        #expect(await ask("GET", "/documents", cookie: other).status == 200)
        await end()
    }

    @Test("Signing out of a session made by a token ends it, and neither the token nor others")
    func byToken() async throws {
        let token = try setup.tokens.make(name: "ada")
        let (cookie, other) = (try await signIn(token), try await signIn(token))
        let received = try await receive(cookie)
        #expect(await ask("DELETE", "/session", cookie: cookie).status == 204)
        await expectEnd(of: received, cookie)
        #expect(await ask("GET", "/documents", cookie: other).status == 200)
        #expect(await ask("GET", "/documents", token: token).status == 200)
        await end()
    }

    @Test("Taking back a token, or removing a browser, ends its sessions and what is being sent")
    func taken() async throws {
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let token = try setup.tokens.make(name: "ada")
        for (name, key) in [("ada", token), ("Browser", nil)] {
            let cookie = try await signIn(key)
            let received = try await receive(cookie)
            #expect(await ask("DELETE", "/tokens/" + name, token: boss).status == 204)
            await expectEnd(of: received, cookie)
        }
        #expect(try setup.tokens.all().map(\.name) == ["boss"])
        await end()
    }

    @Test("A browser that signs in again leaves no session behind")
    func again() async throws {
        let token = try setup.tokens.make(name: "ada")
        let first = try await signIn()
        let second = try await signIn(token, cookie: first)
        #expect(await ask("GET", "/documents", cookie: first).status == 401)
        #expect(await ask("GET", "/documents", cookie: second).status == 200)
        #expect(try setup.tokens.all().map(\.name) == ["ada"])
        await end()
    }

    @Test("A session is valid after the host's restart, and its cookie is in no file")
    func restart() async throws {
        let cookie = try await signIn()
        let text = try String(contentsOfFile: setup.folder + "/tokens.json", encoding: .utf8)
        let secret = String(cookie.dropFirst("copystand=".count))
        #expect(secret.count == 44 && !text.contains(secret))
        let next = AccessTokens(path: setup.folder + "/tokens.json")
        #expect(next.grant(forSession: AccessTokens.hash(secret))?.scope == .admin)
        await end()
    }

    @Test("A token keeps its latest sessions")
    func excess() throws {
        defer { setup.remove() }
        let hash = AccessTokens.hash(try setup.tokens.make(name: "ada"))
        var stored = setup.tokens.current()
        for number in 0...AccessTokens.mostSessions { stored.begin("\(number)", hash) }
        #expect(stored.sessions.count == AccessTokens.mostSessions)
        #expect(stored.grant(forSession: "0") == nil && stored.grant(forSession: "1") != nil)
    }
}
