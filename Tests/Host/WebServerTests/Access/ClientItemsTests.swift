import Archive
import Documents
import FoundationEssentials
import Glibc
import HTTPServer
import Testing

@testable import WebServer

/// Tests that uploads and previews answer only to the token that began them.
@Suite struct ClientItemsTests {
    private let setup: ServerSetup
    private let tokens: [String]

    init() throws {
        let setup = try ServerSetup()
        mkdir(setup.folder + "/spool", 0o700)
        tokens = [
            try setup.tokens.make(name: "ada"), try setup.tokens.make(name: "bob"),
            try setup.tokens.make(name: "boss", scope: .admin),
        ]
        self.setup = setup
    }

    private func ask(_ method: String, _ path: [String], _ token: String, _ body: String = "") async
        -> (status: Int, text: String)
    {
        await setup.answer(method, ["api", "v1"] + path, token: token, body: body)
    }

    @Test("A preview is there for the token that ordered it, and for nobody else")
    func previews() async throws {
        defer { setup.remove() }
        let id = try setup.server.context.previews.begin(
            "no-such-device", source: nil, for: AccessTokens.hash(tokens[0])
        ).id
        for token in tokens[1...] {
            for (method, rest) in [("GET", []), ("GET", ["picture"]), ("DELETE", [])] {
                let answer = await ask(method, ["previews", id] + rest, token)
                let missing = await ask(method, ["previews", "r-99"] + rest, token)
                #expect(answer.status == 404, "\(method) \(rest)")
                #expect(answer.text == missing.text.replacing("r-99", with: id))
            }
        }
        #expect(await ask("GET", ["previews", id], tokens[0]).status == 200)
        #expect(await ask("DELETE", ["previews", id], tokens[0]).status == 204)
    }

    @Test("Many previews of one client leave those of others")
    func manyPreviews() async throws {
        defer { setup.remove() }
        let previews = setup.server.context.previews
        let mine = try await ended(previews, for: "me")
        for _ in 0..<20 { _ = try await ended(previews, for: "another") }
        #expect(previews.status(mine, of: "me") != nil)
    }

    /// The id of a preview that has failed, since its device does not exist.
    private func ended(_ previews: PreviewStore, for client: String) async throws -> String {
        let stream = setup.server.context.events.listen(
            since: nil, as: .ofThisProcess, client: client)
        let id = try previews.begin("no-such-device", source: nil, for: client).id
        while !String(decoding: stream.rest, as: UTF8.self).contains("\"\(id)\"") {
            await Task.yield()
        }
        stream.leave()
        return id
    }

    @Test("The end of a preview is told to the token that ordered it, and to nobody else")
    func events() async throws {
        defer { setup.remove() }
        let hub = setup.server.context.events
        let other = hub.listen(since: nil, as: .ofThisProcess, client: "another")
        _ = try await ended(setup.server.context.previews, for: "me")
        #expect(!String(decoding: other.rest, as: UTF8.self).contains("preview"))
    }

    @Test("An upload can be scanned by the token that sent it, and by nobody else")
    func uploads() async throws {
        defer { setup.remove() }
        let head = ServerSetup.head("POST", ["api", "v1", "uploads"], token: tokens[0])
        guard case .file(let path, _, _, _) = setup.server.admit(head) else {
            Issue.record("it was refused")
            return
        }
        try Data("picture".utf8).write(to: URL(filePath: path))
        let sent = await setup.server.respond(
            to: HTTPRequest(head: head, body: .file(path: path, count: 7)))
        #expect(sent.status == 201)
        let id = String(path.split(separator: "/").last ?? "")
        let order = #"{"uploads": ["\#(id)"]}"#
        for token in tokens[1...] {
            let answer = await ask("POST", ["jobs"], token, order)
            #expect(answer.status == 404 && answer.text.contains("no-such-upload"))
            #expect(access(path, F_OK) == 0)
        }
        let own = await ask("POST", ["jobs"], tokens[0], order)
        // No backend reads files here.
        #expect(own.text.contains("no-such-device"), "\(own)")
    }

    @Test("Without tokens, an upload belongs to the address that sent it")
    func addresses() async throws {
        let open = try ServerSetup(asks: false)
        defer { open.remove() }
        mkdir(open.folder + "/spool", 0o700)
        let path = ["api", "v1", "uploads"]
        guard
            case .file(let file, _, _, _) = open.server.admit(
                ServerSetup.head("POST", path, token: nil, peer: "::ffff:192.0.2.7"))
        else {
            Issue.record("it was refused")
            return
        }
        try Data("picture".utf8).write(to: URL(filePath: file))
        let uploads = open.server.context.uploads
        let id = try uploads.keep(file, bytes: 7)
        #expect(throws: Problem.self) { try uploads.take([id], for: "192.0.2.8") }
        #expect(try uploads.take([id], for: "192.0.2.7").count == 1)
    }
}
