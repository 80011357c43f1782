import CaptureHost
import Delivery
import FoundationEssentials
import Glibc
import HTTPServer
import Processing
import Readers
import Recognition
import ScanService
import ScannerSharing
import Testing

@testable import WebServer

/// A server without devices, with a separate folder.
struct ServerSetup {
    let folder: String
    let tokens: AccessTokens
    let server: WebServer

    /// - Parameter asks: True if the server requires tokens.
    init(asks: Bool = true) throws {
        var template = Array("/tmp/copystand-web-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.folder = folder
        let host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: folder + "/devices.json"))
        let store = JobStore(root: folder + "/spool")
        let profiles = ProfileLibrary(folder: folder + "/profiles")
        let registry = { @Sendable () throws -> SinkRegistry in
            try SinkRegistry(path: folder + "/sinks.json")
        }
        let context = ServerContext(
            host: host,
            service: ScanService(
                host: host, store: store, profiles: profiles,
                recognizer: RecognizerPool(workers: 1), workers: 1,
                namedSink: { throw Problem.noSuchThing("sink", $0, "") }),
            store: store, profiles: profiles, archiveFolder: folder + "/archive",
            defaultOutput: "archive:", run: "r", version: "1.2.3",
            sinks: NamedSinks(
                names: { try registry().list.choices },
                named: { throw Problem.noSuchThing("sink", $0, "") },
                outbox: {
                    Outbox(store: OutboxStore(root: folder + "/outbox"), sinks: try registry())
                }, registry: registry),
            shares: SharingSettings(path: folder + "/shares.json"), servesShares: true)
        tokens = AccessTokens(path: folder + "/tokens.json")
        server = WebServer(context, tokens: asks ? tokens : nil)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// The head of a request with a token.
    static func head(
        _ method: String, _ path: [String], token: String?, peer: String = "192.0.2.7",
        query: [(name: String, value: String)] = []
    ) -> HTTPRequestHead {
        HTTPRequestHead(
            method: method, path: path, query: query,
            headers: [("Host", "localhost"), ("Content-Type", "application/json")]
                + (token.map { [("Authorization", "Bearer " + $0)] } ?? []), peer: peer)
    }

    /// The status that refuses a request before its body is read; nil if the request is accepted.
    func refusal(_ method: String, _ path: [String], token: String?, peer: String = "192.0.2.7")
        -> Int?
    {
        switch server.admit(Self.head(method, path, token: token, peer: peer)) {
        case .refused(let answer): return answer.status
        case .memory: return nil
        case .file(let path, _, _, _):
            unlink(path)
            return nil
        }
    }

    /// The answer to a request without a body.
    func answer(_ method: String, _ path: [String], token: String?, body: String = "") async
        -> (status: Int, text: String)
    {
        let head = Self.head(method, path, token: token)
        let answer = await server.respond(
            to: HTTPRequest(head: head, body: .bytes(Array(body.utf8))))
        guard case .bytes(let bytes) = answer.body else { return (answer.status, "") }
        return (answer.status, String(decoding: bytes, as: UTF8.self))
    }
}
