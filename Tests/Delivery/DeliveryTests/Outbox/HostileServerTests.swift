import Archive
import Dispatch
import HTTPClient
import Imaging
import Synchronization
import Testing

@testable import Delivery

/// Tests answers of servers that are broken, or want to do harm.
@Suite struct HostileServerTests {
    /// Answers each request as a test wants, and counts them by their method.
    private final class Answering: WebClient {
        let silenceLimit = 60
        let counts = Mutex<[String: Int]>([:])
        private let answer: @Sendable (WebRequest) -> WebAnswer

        init(_ answer: @escaping @Sendable (WebRequest) -> WebAnswer) { self.answer = answer }

        func send(_ request: WebRequest) throws(HTTPFailure) -> WebAnswer {
            counts.withLock { $0[request.method, default: 0] += 1 }
            return answer(request)
        }
    }

    private let bench: OutboxBench

    init() throws { bench = try OutboxBench() }

    private static func plain(_ status: Int, _ text: String = "") -> WebAnswer {
        WebAnswer(
            status: status, headers: ["content-length": String(text.utf8.count)],
            body: Array(text.utf8))
    }

    private func outbox(_ registry: SinkRegistry, _ client: Answering) -> Outbox {
        Outbox(
            store: bench.store, sinks: registry, client: client,
            now: { [bench] in bench.clock.withLock { $0 } }, wait: { _ in }, random: { 0.5 })
    }

    private func receipt(_ sink: SinkDefinition, _ client: Answering) throws -> Receipt {
        let registry = try bench.registry(["there": sink])
        let outbox = outbox(registry, client)
        let writer = try NamedSink("there", in: registry, outbox: outbox).begin(sampleInfo)
        try writer.add(samplePage(samplePicture(.gray8, width: 20, height: 28), number: 1))
        return try writer.finish()
    }

    private var store: SinkDefinition {
        bench.definition(.s3) {
            $0.url = "https://store.example"
            $0.user = "AKID"
            $0.password = "s3cret-word"
            $0.parameters = ["bucket": "scans"]
        }
    }

    private var webdav: SinkDefinition {
        bench.definition(.webdav) { $0.url = "https://cloud.example/dav/" }
    }

    @Test(
        "A server that refuses every name gets the document ten times at most",
        arguments: ["webdav", "s3"])
    func refusedNames(kind: String) throws {
        let client = Answering { Self.plain($0.method == "PUT" ? 412 : 404) }
        let receipt = try receipt(kind == "s3" ? store : webdav, client)
        #expect(receipt.waiting?.isRefused == false)
        #expect(receipt.waiting?.reason.contains("refused 10 names") == true)
        #expect(client.counts.withLock { $0["PUT"] } == 10)
    }

    @Test("A document is not sent to find out which of many names is free")
    func takenNames() throws {
        let client = Answering { request in
            let isFree = request.url.contains("-40")
            if request.method == "PUT" { return Self.plain(isFree ? 201 : 412) }
            return isFree ? Self.plain(404) : Self.plain(200, "another file")
        }
        #expect(try receipt(webdav, client).waiting == nil)
        #expect(client.counts.withLock { $0["PUT"] } == 2)
    }

    @Test("A bucket has a document only if it says so when asked; a sign-in page is no store")
    func signInPage() throws {
        let client = Answering { request in
            request.method == "PUT" ? Self.plain(200, "Please sign in") : Self.plain(404)
        }
        let waiting = try receipt(store, client).waiting
        #expect(waiting?.isRefused == false)
        #expect(waiting?.reason.contains("does not hold the document") == true)
    }

    // MARK: Images in a bucket

    private func images(_ client: Answering) throws -> S3Images {
        try S3Images(
            ImageSettings(
                place: "s3://scans/pre", endpoint: "https://store.example", region: "eu",
                key: "AKID", secret: "s3cret-word"), copies: bench.folder + "/copies",
            client: client)
    }

    @Test("An image counts as added only if the bucket has it afterward")
    func lostImage() throws {
        let portal = Answering { _ in Self.plain(200, "<html>Please sign in</html>") }
        let bytes = Array("a picture".utf8)
        let error = #expect(throws: ArchiveError.self) {
            try images(portal).add(bytes, as: ImageHash(of: bytes))
        }
        #expect(error?.code == .unreachable && error?.message.contains("sign in") == true)
    }

    private func listed(_ entries: String) throws -> [StoredImage] {
        let client = Answering { _ in
            WebAnswer(
                status: 200, headers: ["date": "Sun, 06 Nov 2044 08:49:37 GMT"],
                body: Array("<ListBucketResult>\(entries)</ListBucketResult>".utf8))
        }
        var found: [StoredImage] = []
        try images(client).eachFile { found.append($0) }
        return found
    }

    @Test(
        "A list with impossible times and sizes is read without a crash",
        arguments: [
            "2026-01-01T9223372036854775807:00:00Z", "2026-01-01T00:9223372036854775807:00Z",
            "2026-01-01T00:00:9223372036854775807Z", "9223372036854775807-01-01T00:00:00Z", "Z",
        ])
    func times(time: String) throws {
        let written = "<LastModified>\(time)</LastModified>"
        let (a, b, c) = (Self.key("a"), Self.key("b"), Self.key("c"))
        let found = try listed(
            "<Contents><Key>\(a)</Key><Size>5</Size>\(written)</Contents>"
                + "<Contents><Key>\(b)</Key><Size>9223372036854775807</Size></Contents>"
                + "<Contents><Key>\(c)</Key><Size>-1</Size></Contents>")
        // A file of unknown age is new, so that nobody removes it.
        #expect(found.map(\.name) == [a] && found.map(\.age) == [0])
    }

    /// The key of an image that is nothing but one digit.
    private static func key(_ digit: String) -> String {
        let name = String(repeating: digit, count: 64)
        return "pre/\(digit)\(digit)/\(digit)\(digit)/\(name)"
    }

    @Test("A list of a bucket that never ends is given up", .timeLimit(.minutes(2)))
    func endlessList() throws {
        let number = Atomic(0)
        let client = Answering { _ in
            let next = number.add(1, ordering: .relaxed).newValue
            let digits = String(next + 1_000_000)
            return WebAnswer(
                status: 200, headers: [:],
                body: Array(
                    "<IsTruncated>true</IsTruncated><Contents><Key>pre/\(digits)</Key><Size>5</Size></Contents>"
                        .utf8))
        }
        let error = #expect(throws: ArchiveError.self) { try images(client).eachFile { _ in } }
        #expect(error?.code == .unreachable && error?.message.contains("has no end") == true)
    }

    @Test(
        "Objects whose names lead elsewhere are somebody else's, and are never removed",
        arguments: [
            "../../other/victim", "pre/../victim", "pre/./a", "pre//a", "other/a", "pre/a?x",
            "pre/a b", "pre/\u{1B}[31m", "pre/%2e%2e/victim", "pre/&amp;", "", "pre/backup.tar",
            "pre/aa/bb/photo.jpg",
        ])
    func names(name: String) throws {
        #expect(try listed("<Contents><Key>\(name)</Key><Size>5</Size></Contents>").isEmpty)
    }

    // MARK: Tokens

    /// A mailbox on a server that nobody runs, whose tokens a service issues.
    private func mailbox(_ token: String) -> SinkDefinition {
        bench.definition(.email) {
            $0.url = "smtp://127.0.0.1:9"
            $0.user = "ada@example.org"
            $0.token = token
            $0.parameters = [
                "from": "a@example.org", "to": "b@example.org",
                "token-url": "https://tokens.example/token",
            ]
        }
    }

    @Test(
        "Tokens in an answer that can't be used are not shown",
        arguments: [
            (200, #"{"refresh_token": "issued-token-9"}"#),
            (201, #"{"access_token": "issued-token-9"}"#),
            (200, #"{"access_token": ["issued-token-9"]}"#),
        ])
    func issuedTokens(status: Int, answer: String) throws {
        let client = Answering { _ in Self.plain(status, answer) }
        let error = #expect(throws: DeliveryError.self) {
            try outbox(bench.registry([:]), client).test(mailbox("refresh-\(answer)"))
        }
        #expect(error?.message.contains("no token arrived") == true)
        #expect(error?.message.contains("issued-token-9") == false)
    }

    @Test(
        "A token whose life is not a number is asked for again in a few minutes",
        arguments: ["\"nan\"", "\"inf\"", "\"-inf\"", "-1e308"])
    func life(life: String) throws {
        let client = Answering { _ in
            Self.plain(200, #"{"access_token": "t", "expires_in": \#(life)}"#)
        }
        let outbox = outbox(try bench.registry([:]), client)
        for _ in 0..<2 {
            _ = try? outbox.test(mailbox("life-\(life)"))
            bench.clock.withLock { $0 += 400 }
        }
        #expect(client.counts.withLock { $0["POST"] } == 2)
    }

    @Test("A token that a service has issued is replaced in what another server says")
    func issuedToken() {
        let sink = mailbox("refresh-token-1")
        let secrets = sink.secrets(besides: ["issued-token-9"])
        let said = "535 bad issued-token-9, refresh-token-1"
        #expect(secrets.redacted(said) == "535 bad [secret], [secret]")
    }

    // MARK: Time

    @Test("A transfer has an end, which depends on how much is sent and received")
    func limits() throws {
        var order = CurlTransfer.Order(url: "smtp://mail.example")
        #expect(CurlTransfer.limit(order) == 300)
        order.source = BytesSource([UInt8](repeating: 0, count: 4_000_000))
        order.most = 1_000_000
        #expect(CurlTransfer.limit(order) == 550)
    }

    @Test("A service that does not answer holds up no document for another one")
    func lines() throws {
        let registry = try bench.registry([
            "slow": bench.definition(.webhook) { $0.url = "https://slow.example" },
            "quick": bench.definition(.webhook) { $0.url = "https://quick.example" },
        ])
        // The slow service answers only after the quick one was asked.
        let isSetUp = Atomic(false)
        let isAsked = DispatchSemaphore(value: 0)
        let client = Answering { request in
            guard isSetUp.load(ordering: .sequentiallyConsistent) else { return Self.plain(503) }
            if request.url.contains("quick") {
                isAsked.signal()
                return Self.plain(200)
            }
            return Self.plain(isAsked.wait(timeout: .now() + 60) == .success ? 200 : 503)
        }
        let outbox = outbox(registry, client)
        for name in ["slow", "quick"] {
            let writer = try NamedSink(name, in: registry, outbox: outbox).begin(sampleInfo)
            try writer.add(samplePage(samplePicture(.gray8, width: 20, height: 28), number: 1))
            _ = try writer.finish()
        }
        isSetUp.store(true, ordering: .sequentiallyConsistent)
        let outcomes = outbox.deliver(isDue: false).map(\.outcome)
        #expect(outcomes.count == 2)
        for outcome in outcomes {
            guard case .delivered = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }
}

/// Bytes in memory.
private final class BytesSource: TransferSource {
    private var rest: ArraySlice<UInt8>
    let length: Int
    var isUntouched: Bool { rest.count == length }

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        length = bytes.count
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(buffer.count)
        rest = rest.dropFirst(part.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}
