import HTTPServer
import Synchronization
import Testing

@testable import WebServer

/// Tests that a client that guesses tokens is slowed down, while a client with a token is not
/// locked out.
@Suite struct WrongTokensTests {
    /// A clock that advances only when a test sets it, and a log.
    private final class Surroundings: Sendable {
        let time = Mutex(1000.0)
        let lines = Mutex<[String]>([])
    }

    private let around = Surroundings()
    private let wrong: WrongTokens

    init() {
        let around = around
        wrong = WrongTokens(
            now: { around.time.withLock { $0 } },
            tell: { line in around.lines.withLock { $0.append(line) } })
    }

    private func pass(_ seconds: Double) { around.time.withLock { $0 += seconds } }

    /// Tries a wrong token; returns false if the token was not checked.
    private func guess(_ token: String, from peer: String) -> Bool {
        guard wrong.wait(for: token, from: peer) == nil else { return false }
        wrong.wrong(token, from: peer)
        return true
    }

    @Test("Ten wrong tokens are free, then one every five seconds, however many are tried")
    func pace() {
        var looked = 0
        for number in 0..<1000 { looked += guess("\(number)", from: "192.0.2.7") ? 1 : 0 }
        #expect(looked == 10)
        #expect(wrong.wait(for: "x", from: "192.0.2.7") == 5)
        pass(4)
        #expect(wrong.wait(for: "x", from: "192.0.2.7") == 1)
        for _ in 0..<60 {
            pass(1)
            for number in 0..<10 { looked += guess("\(number)", from: "192.0.2.7") ? 1 : 0 }
        }
        #expect((21...23).contains(looked), "\(looked)")
    }

    @Test(
        "A token used from there before is never delayed; a new one is delayed by five seconds"
    )
    func shared() {
        wrong.right("known", from: "192.0.2.7")
        for number in 0..<100 { _ = guess("\(number)", from: "192.0.2.7") }
        #expect(wrong.wait(for: "known", from: "192.0.2.7") == nil)
        #expect(wrong.wait(for: "new", from: "192.0.2.7") != nil)
        #expect(wrong.wait(for: "new", from: "192.0.2.8") == nil)
        pass(5)
        #expect(wrong.wait(for: "new", from: "192.0.2.7") == nil)
    }

    @Test("A token that was removed counts as a wrong one")
    func takenBack() {
        wrong.right("known", from: "192.0.2.7")
        for _ in 0..<10 { _ = guess("known", from: "192.0.2.7") }
        #expect(wrong.wait(for: "known", from: "192.0.2.7") != nil)
    }

    @Test("A client with many addresses is slowed by its network, and does not fill the memory")
    func many() {
        var looked = 0
        for number in 0..<1000 {
            looked += guess("x", from: "2001:db8:1:2::" + String(number, radix: 16)) ? 1 : 0
        }
        #expect(looked == 10)
        for number in 0..<20_000 { _ = guess("x", from: "10.0.\(number / 256).\(number % 256)") }
        #expect(wrong.networks <= WrongTokens.mostNetworks)
    }

    @Test("All wrong tokens are counted, and the log reports them at most once a minute")
    func told() {
        for number in 0..<15 { _ = guess("\(number)", from: "192.0.2.7") }
        #expect(wrong.counts == WrongTokens.Counts(wrong: 10, unread: 5))
        #expect(around.lines.withLock(\.count) == 1)
        pass(61)
        _ = guess("x", from: "::ffff:192.0.2.7")
        let lines = around.lines.withLock { $0 }
        #expect(lines.count == 2)
        #expect(
            lines.last?.contains("10 since") == true && lines.last?.contains("11 in all") == true)
        #expect(lines.last?.contains("192.0.2.7") == true)
    }

    @Test("By header, cookie and sign-in, wrong tokens get the answer 429 after a while")
    func answered() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let path = ["api", "v1", "documents"]
        let first = try setup.tokens.make(name: "first")
        #expect(setup.refusal("GET", path, token: first) == nil)
        for number in 0..<10 { #expect(setup.refusal("GET", path, token: "\(number)") == 401) }
        #expect(setup.refusal("GET", path, token: "x") == 429)
        // A client without a token has not tried one.
        #expect(setup.refusal("GET", path, token: nil) == 401)
        #expect(setup.refusal("GET", path, token: first) == nil)
        let second = try setup.tokens.make(name: "second")
        #expect(setup.refusal("GET", path, token: second) == 429)
        #expect(setup.refusal("GET", path, token: second, peer: "192.0.2.8") == nil)
        let body = #"{"token": "\#(second)"}"#
        let signedIn = await setup.answer("POST", ["api", "v1", "session"], token: nil, body: body)
        #expect(signedIn.status == 429 && signedIn.text.contains("too-many-wrong-tokens"))
        let metrics = await setup.answer("GET", ["metrics"], token: "x")
        #expect(metrics.status == 429)
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let head = ServerSetup.head("GET", ["metrics"], token: boss, peer: "198.51.100.1")
        let answer = await setup.server.respond(to: .init(head: head))
        guard case .bytes(let bytes) = answer.body else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("copystand_tokens_refused_total{reason=\"wrong\"} 10"))
        #expect(text.contains("copystand_tokens_refused_total{reason=\"slowed\"} 4"))
    }
}
