import FoundationEssentials
import HTTPClient
import Synchronization
import Testing

@testable import Delivery

/// Tests sinks with a service that answers with the request itself, in various forms.
@Suite struct SecretEchoTests {
    let bench: OutboxBench
    let peer: Peer

    init() throws {
        bench = try OutboxBench()
        peer = try Peer()
    }

    static let forms = [
        "raw", "upper", "json", "html", "url", "url-lower", "plus", "twice", "unicode", "codes",
        "codes-hex", "percent", "base64", "url-base64", "hex", "hex-upper", "wrapped", "c",
        "basic", "edge", "mojibake",
    ]

    /// A secret of a sink, and the texts that must not be shown.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var hidden: [String]
        var change: @Sendable (inout SinkDefinition) -> Void
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "a token", hidden: ["tok/en+42=\"<&é"]) { $0.token = "tok/en+42=\"<&é" },
        Case(name: "a password", hidden: ["pa ss:wörd%41", "ada:pa ss"]) {
            ($0.user, $0.password) = ("ada", "pa ss:wörd%41")
        },
        Case(name: "a short password", hidden: ["ada:abc", "YWRhOmFiYw"]) {
            ($0.user, $0.password) = ("ada", "abc")
        },
        Case(name: "a header", hidden: ["s3cret-in-a-header"]) {
            $0.headers = ["X-Api-Key": "s3cret-in-a-header"]
        },
        Case(name: "a header for signing in", hidden: ["c0nfidential-word", "Y29u"]) {
            $0.headers = ["Authorization": "Bearer c0nfidential-word"]
        },
        Case(name: "a query", hidden: ["h1dden value", "h1dden%20value"]) {
            $0.url = ($0.url ?? "") + "?key=h1dden%20value"
        },
    ]

    @Test(
        "No secret that a service echoes is shown, kept or logged, in any form",
        arguments: cases, forms)
    func echoed(_ secret: Case, _ form: String) throws {
        try peer.settings(#"{"echo": "\#(form)"}"#)
        try peer.fault(#"["echo"]"#)
        var definition = bench.definition(.webhook) { $0.url = peer.base + "/hook" }
        secret.change(&definition)
        let (receipt, outbox) = try bench.send("hook", ["hook": definition])
        let reason = try #require(receipt.waiting?.reason)
        #expect(reason.contains("answered 500"))
        #expect(["edge", "basic"].contains(form) || reason.contains("[secret]"), "\(reason)")
        let item = try #require(outbox.store.items().first)
        let path = outbox.store.folder(of: item.id) + "/item.json"
        let note = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        for text in [reason, note] {
            for hidden in secret.hidden {
                for shown in Self.readings(of: text) {
                    #expect(!shown.contains(Self.plain(hidden)), "\(text)")
                }
            }
        }
    }

    /// The readings of a text that could reveal a secret: unchanged, or with its escapes and codes
    /// decoded once or twice.
    private static func readings(of text: String) -> [String] {
        var escaped = EscapedText(Array(text.utf8)[...])
        var readings = [text]
        while escaped.unescape() {
            readings.append(String(decoding: escaped.bytes, as: UTF8.self))
        }
        let decoded = text.split { " \"\\/:,".contains($0) }.flatMap { word -> [String] in
            var shifted = String(word)
            shifted += String(repeating: "=", count: (4 - shifted.utf8.count % 4) % 4)
            let plain = shifted.replacing("-", with: "+").replacing("_", with: "/")
            let bytes = Data(base64Encoded: plain).map { String(decoding: $0, as: UTF8.self) }
            let pairs = Array(word.utf8)
            let digits = stride(from: 0, to: pairs.count - 1, by: 2).compactMap {
                UInt8(String(decoding: pairs[$0..<($0 + 2)], as: UTF8.self), radix: 16)
            }
            return [bytes, String(decoding: digits, as: UTF8.self)].compactMap { $0 }
        }
        return (readings + decoded).map(plain)
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace }
    }

    @Test("A service's answer to a test is shown without secrets, too", arguments: forms)
    func tested(_ form: String) throws {
        try peer.settings(#"{"echo": "\#(form)", "echo_status": 400, "echo_always": true}"#)
        let definition = bench.definition(.paperless) {
            $0.url = peer.base + "/paperless/"
            $0.token = "0123456789abcdef0123"
        }
        let outbox = bench.outbox(try bench.registry(["office": definition]))
        let told = failure { _ = try outbox.test(definition) }
        let message = try #require(told?.message)
        #expect(message.contains("answered 400"), "\(message)")
        for shown in Self.readings(of: message) {
            #expect(!shown.contains("0123456789abcdef0123"), "\(message)")
        }
    }

    @Test("Fields from a service's answer have no secrets, and are otherwise unchanged")
    func fields() throws {
        try peer.settings(#"{"echo": "raw", "serial": "Bearer sesame-open-42"}"#)
        let definition = bench.definition(.webhook) {
            $0.url = peer.base + "/hook"
            $0.token = "sesame-open-42"
            $0.fields = ["serial": "serial_number", "price": "prices.market"]
        }
        let receipt = try bench.send("hook", ["hook": definition]).receipt
        #expect(receipt.fields == ["serial": "Bearer [secret]", "price": "12.5"])
    }

    @Test("The target of a redirect and libcurl's messages are shown without secrets")
    func redirect() throws {
        let definition = bench.definition(.webhook) {
            $0.url = peer.base + "/echo-elsewhere?key=sesame-open-42"
            $0.token = "abcdefgh-12345678"
        }
        let reason = try #require(
            try bench.send("hook", ["hook": definition]).receipt.waiting?.reason)
        #expect(reason.contains("another host"), "\(reason)")
        #expect(!reason.contains("sesame") && !reason.contains("abcdefgh"), "\(reason)")
    }

    @Test("The receipt and the lists name an address without its query")
    func shown() throws {
        let definition = bench.definition(.webhook) {
            $0.url = peer.base + "/hook?key=sesame-open-42"
        }
        let receipt = try bench.send("hook", ["hook": definition]).receipt
        #expect(receipt.locations == [peer.base + "/hook?…"])
        #expect(definition.shownTarget == peer.base + "/hook?…")
    }

    @Test(
        "Arguments with secrets are recognized by their option, their address or their form",
        arguments: [
            ["--token", "hunter22"], ["--token=hunter22"], ["API_KEY=hunter22"],
            ["-u", "ada:hunter22"], ["-H", "Authorization: Bearer hunter22"],
            ["https://ada:hunter22@host/x"], ["--url=https://host/x?sig=hunter22"],
        ])
    func arguments(_ words: [String]) {
        var definition = SinkDefinition(kind: .exec)
        definition.command = ["/usr/bin/send"] + words + ["copy", "remote:scans"]
        let told = definition.secrets.redacted("can't copy to remote:scans as hunter22")
        #expect(told == "can't copy to remote:scans as [secret]")
        #expect(definition.shownTarget?.contains("hunter22") == false)
        #expect(definition.shownTarget?.hasPrefix("/usr/bin/send") == true)
    }
}
