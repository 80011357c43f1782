import FoundationEssentials
import Glibc
import HTTPServer
import Testing

@testable import WebServer

/// Tests who may use the host from other machines.
@Suite struct AccessTests {
    private let folder: String
    private var path: String { folder + "/config/tokens.json" }

    init() throws {
        var template = Array("/tmp/copystand-web-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func request(_ headers: [(name: String, value: String)]) -> HTTPRequestHead {
        HTTPRequestHead(method: "GET", path: ["api"], headers: headers)
    }

    private func isLetIn(_ gate: Gate, _ headers: [(name: String, value: String)]) -> Bool {
        do throws(Problem) {
            try gate.check(request(headers))
            return true
        } catch {
            #expect(error.status == 401)
            #expect(error.response.headers.contains { $0.name == "WWW-Authenticate" })
            return false
        }
    }

    @Test("A token in a header gives access until it is removed; nothing else does")
    func gate() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tokens = AccessTokens(path: path)
        let gate = Gate(tokens: tokens, isSecure: true)
        #expect(!isLetIn(gate, []))
        let token = try tokens.make(name: "kitchen")
        #expect(isLetIn(gate, [("Authorization", "Bearer \(token)")]))
        #expect(isLetIn(gate, [("Authorization", "bearer \(token)")]))
        for headers in [
            [("Authorization", "Basic \(token)")], [("Authorization", token)],
            [("Authorization", "Bearer \(token)x")], [("Authorization", "Bearer ")],
            // A cookie is never the token itself, so that it can end without the token.
            [("Cookie", "copystand=\(token)")],
        ] {
            #expect(!isLetIn(gate, headers.map { (name: $0.0, value: $0.1) }), "\(headers)")
        }
        try tokens.remove(name: "kitchen")
        #expect(!isLetIn(gate, [("Authorization", "Bearer \(token)")]))
    }

    @Test("A session's cookie gives access until it or its token ends; it is no token itself")
    func session() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tokens = AccessTokens(path: path)
        let gate = Gate(tokens: tokens, isSecure: true)
        let token = try tokens.make(name: "kitchen")
        let cookie = try gate.signIn(token: token, request([]))
        #expect(isLetIn(gate, [("Cookie", "a=b; copystand=\(cookie); c=d")]))
        for headers in [
            [("Cookie", "copystand=")], [("Cookie", "xcopystand=\(cookie)")],
            [("Authorization", "Bearer \(cookie)")],
            // A valid cookie does not compensate for a wrong header.
            [("Authorization", "Bearer no"), ("Cookie", "copystand=\(cookie)")],
        ] {
            #expect(!isLetIn(gate, headers.map { (name: $0.0, value: $0.1) }), "\(headers)")
        }
        try tokens.remove(name: "kitchen")
        #expect(!isLetIn(gate, [("Cookie", "copystand=\(cookie)")]))
        // Another token with the same name does not revive it.
        _ = try tokens.make(name: "kitchen")
        #expect(!isLetIn(gate, [("Cookie", "copystand=\(cookie)")]))
    }

    @Test("A token is valid as stated in its file, even if that changes twice within a tick")
    func quickChanges() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (reader, writer) = (AccessTokens(path: path), AccessTokens(path: path))
        // Files of the same length, whose inodes are reused immediately.
        var last = try writer.make(name: "token-0")
        for round in 1..<300 {
            #expect(reader.grant(for: last) != nil, "round \(round)")
            try writer.remove(name: "token-\((round - 1) % 10)")
            let next = try writer.make(name: "token-\(round % 10)")
            #expect(reader.grant(for: last) == nil, "round \(round)")
            last = next
        }
    }

    @Test("The file contains no token, and only its owner can read it")
    func file() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tokens = AccessTokens(path: path)
        let token = try tokens.make(name: "one")
        let other = try tokens.make(name: "two")
        #expect(token != other && token.count == 44)
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        #expect(!text.contains(token) && text.contains("one"))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(throws: (any Error).self) { try tokens.make(name: "one") }
        #expect(throws: (any Error).self) { try tokens.remove(name: "three") }
        chmod(path, 0o644)
        #expect(throws: (any Error).self) { try AccessTokens(path: path).all() }
        #expect(AccessTokens(path: path).grant(for: token) == nil)
    }

    @Test(
        "Scripts and other sites can't read the cookie, and with TLS it is never sent without TLS"
    )
    func cookie() {
        let tokens = AccessTokens(path: path)
        let secure = Gate(tokens: tokens, isSecure: true).cookie("t")
        for part in ["copystand=t;", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            #expect(secure.contains(part))
        }
        #expect(!Gate(tokens: tokens, isSecure: false).cookie("t").contains("Secure"))
        #expect(Gate(tokens: tokens, isSecure: false).cookie(nil).contains("Max-Age=0"))
        try? FileManager.default.removeItem(atPath: folder)
    }
}
