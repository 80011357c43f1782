import FoundationEssentials
import Glibc
import HTTPServer
import Testing

@testable import WebServer

/// A removed token no longer reaches anything.
@Suite struct RevocationTests {
    private let setup: ServerSetup
    init() throws { setup = try ServerSetup() }

    private func stream(_ token: String) async throws -> HTTPStream {
        let head = ServerSetup.head("GET", ["api", "v1", "events"], token: token)
        let answer = await setup.server.respond(to: .init(head: head))
        guard case .stream(let stream) = answer.body else {
            throw Problem.invalid("no stream: \(answer.status)")
        }
        return stream
    }

    @Test("A stream ends when the token is removed over the network, and others continue")
    func overTheNetwork() async throws {
        defer { setup.remove() }
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let (guest, other) = (
            try setup.tokens.make(name: "guest"), try setup.tokens.make(name: "other")
        )
        let (mine, theirs) = (try await stream(guest), try await stream(other))
        let path = ["api", "v1", "tokens", "guest"]
        #expect(await setup.answer("DELETE", path, token: boss).status == 204)
        #expect(!mine.write([1]))
        // No unsent data remains for the peer.
        #expect(mine.rest.isEmpty)
        #expect(theirs.write([1]))
        theirs.finish()
    }

    @Test("A stream ends when another process has removed the token")
    func onTheDisk() async throws {
        defer { setup.remove() }
        let guest = try setup.tokens.make(name: "guest")
        let stream = try await stream(guest)
        #expect(stream.write([1]))
        try AccessTokens(path: setup.folder + "/tokens.json").remove(name: "guest")
        // The limit is long, for a busy machine; the program's own test checks how long a listener
        // waits.
        var isOpen = true
        for _ in 0..<600 where isOpen {
            try await Task.sleep(for: .milliseconds(50))
            isOpen = stream.write([1])
        }
        #expect(!isOpen)
    }

    @Test("A stream that its listener has left is forgotten")
    func left() async throws {
        defer { setup.remove() }
        let stream = try await stream(try setup.tokens.make(name: "guest"))
        let answers = try #require(setup.server.gate?.answers)
        #expect(answers.count == 1)
        stream.leave()
        #expect(answers.count == 0)
    }

    @Test("A change that leaves the file's size and time as they were is noticed")
    func sameTick() throws {
        defer { setup.remove() }
        let path = setup.folder + "/tokens.json"
        let tokens = AccessTokens(path: path)
        let token = try tokens.make(name: "one")
        var status = stat()
        #expect(stat(path, &status) == 0 && tokens.grant(for: token) != nil)
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let hash = AccessTokens.hash(token)
        let other = text.replacing(hash, with: AccessTokens.hash("another"))
        try Data(other.utf8).write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
        var times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(tokens.grant(for: token) == nil && tokens.grant(for: "another") != nil)
    }

    @Test(
        "A token that was made before there were scopes is an administrator's; an invalid scope gives no access"
    )
    func old() throws {
        defer { setup.remove() }
        let path = setup.folder + "/tokens.json"
        func write(_ scope: String) throws {
            let text =
                #"{"tokens": [{"name": "old", "made": "2026-01-01T00:00:00Z", "sha256": "\#(AccessTokens.hash("secret"))"\#(scope)}]}"#
            try Data(text.utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
        }
        try write("")
        #expect(AccessTokens(path: path).grant(for: "secret")?.scope == .admin)
        try write(#", "scope": "read""#)
        #expect(AccessTokens(path: path).grant(for: "secret")?.scope == .read)
        for scope in [#""boss""#, "null", "1", #""""#] {
            try write(#", "scope": "# + scope)
            #expect(AccessTokens(path: path).grant(for: "secret") == nil, "\(scope)")
        }
    }
}
