import FoundationEssentials
import Imaging
import Synchronization
import Testing

@testable import Delivery

/// Tests e-mail with a real mail server on loopback.
@Suite struct MailTests {
    let bench: OutboxBench
    let certificate: String

    init() throws {
        bench = try OutboxBench()
        certificate = try ServerProcess.certificate(in: bench.folder)
    }

    func server(_ way: String = "starttls") throws -> ServerProcess {
        try ServerProcess("mail_server.py", ["$F", certificate, way])
    }

    func sink(
        _ server: ServerProcess, _ change: (inout SinkDefinition) -> Void = { _ in }
    ) -> [String: SinkDefinition] {
        [
            "post": bench.definition(.email) {
                $0.url = "smtp://127.0.0.1:\(server.port)"
                $0.user = "ada"
                $0.password = "s3cret-word"
                $0.parameters = [
                    "from": "scans@example.org", "to": "ada@example.org, bob@example.org",
                    "ca-file": certificate, "subject": "Größe: {title} vom {date}",
                ]
                change(&$0)
            }
        ]
    }

    struct Mail: Decodable {
        var from: String
        var to: [String]
    }

    func mails(_ server: ServerProcess) throws -> [(mail: Mail, text: String)] {
        try (0..<20).compactMap { number in
            let path = "\(server.folder)/\(number)"
            guard let text = try? String(contentsOfFile: path + ".eml", encoding: .utf8) else {
                return nil
            }
            let data = try Data(contentsOf: URL(filePath: path + ".json"))
            return (try JSONDecoder().decode(Mail.self, from: data), text)
        }
    }

    func header(_ name: String, _ text: String) -> String {
        let head = text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] } ?? ""
        let lines = head.replacing("\r\n ", with: " ").split(separator: "\r\n")
        return lines.first { $0.hasPrefix(name + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
            ?? ""
    }

    /// The attachment's bytes.
    func attachment(_ text: String) -> Data? {
        let part = text.components("\r\n--copystand-").dropFirst().first {
            $0.contains("Content-Disposition: attachment")
        }
        let body = part?.components("\r\n\r\n").dropFirst().joined()
        return body.flatMap {
            Data(base64Encoded: String($0.filter { !$0.isWhitespace && $0 != "\r\n" }))
        }
    }

    @Test(
        "A document arrives whole, at every recipient, by STARTTLS or TLS",
        arguments: ["starttls", "tls"])
    func arrives(way: String) throws {
        let server = try server(way)
        let sinks = sink(server) {
            if way == "tls" { $0.url = "smtps://127.0.0.1:\(server.port)" }
        }
        let (receipt, outbox) = try bench.send("post", sinks)
        #expect(receipt.waiting == nil && receipt.notes == nil && outbox.store.items().isEmpty)
        let all = try mails(server)
        let mail = try #require(all.first)
        #expect(all.count == 1)
        #expect(mail.mail.from == "scans@example.org")
        #expect(mail.mail.to == ["ada@example.org", "bob@example.org"])
        #expect(header("Message-ID", mail.text) == receipt.remoteID)
        let subject = Data("Größe: May vom 2026-05-01".utf8).base64EncodedString()
        #expect(header("Subject", mail.text) == "=?utf-8?B?\(subject)?=")
        #expect(header("Date", mail.text).hasPrefix("Fri, 1 May 2026 "))
        let document = try #require(attachment(mail.text))
        #expect(document.prefix(5) == Data("%PDF-".utf8) && document.count == receipt.bytes)
    }

    @Test("After a temporary error the document waits, and after a permanent one it is refused")
    func answers() throws {
        let server = try server()
        try server.fault("[451]")
        let (receipt, outbox) = try bench.send("post", sink(server))
        #expect(
            receipt.waiting?.isRefused == false && receipt.waiting?.reason.contains("451") == true)
        try server.fault("[554]")
        guard case .refused(let words) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not refused")
            return
        }
        // The error contains the server's answer, not the closing message after it.
        #expect(words.contains("554") && words.contains("as asked"), "\(words)")
        guard case .delivered(let later) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        // Both tries were answered, so the result is certain.
        #expect(later.notes == nil)
        #expect(try mails(server).count == 1)
    }

    @Test(
        "A lost answer is reported as possibly delivered twice, and both messages have the same Message-ID",
        arguments: ["cut", "lost"])
    func lostAnswer(fault: String) throws {
        let server = try server()
        try server.fault("[\"\(fault)\"]")
        let (receipt, outbox) = try bench.send("post", sink(server))
        #expect(receipt.waiting?.isRefused == false)
        guard case .delivered(let later) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(later.notes?.first?.contains("twice") == true)
        let all = try mails(server)
        #expect(all.count == (fault == "cut" ? 2 : 1))
        #expect(Set(all.map { header("Message-ID", $0.text) }).count == 1)
        #expect(Set(all.map(\.text)).count == 1)
    }

    @Test(
        "A wrong password and an untrusted certificate are refused, and the password is not shown"
    )
    func refused() throws {
        let server = try server()
        let wrong = sink(server) { $0.password = "wrong-word-17" }
        let (receipt, _) = try bench.send("post", wrong)
        #expect(receipt.waiting?.isRefused == true)
        #expect(receipt.waiting?.reason.contains("wrong-word-17") == false)
        let untrusted = sink(server) { $0.parameters?["ca-file"] = nil }
        let (second, _) = try bench.send("post", untrusted)
        #expect(second.waiting?.isRefused == true)
        #expect(try mails(server).isEmpty)
    }

    @Test("A server without TLS gets nothing unless the sink allows connections without TLS")
    func plain() throws {
        let server = try server("plain")
        let (receipt, _) = try bench.send("post", sink(server))
        #expect(receipt.waiting?.isRefused == true)
        #expect(receipt.waiting?.reason.contains("encryption=none") == true)
        #expect(try mails(server).isEmpty)
        let open = sink(server) { $0.parameters?["encryption"] = "none" }
        #expect(try bench.send("post", open).receipt.waiting == nil)
    }

    @Test("A missing server is a normal state: the document waits")
    func offline() throws {
        let server = try server()
        let port = try SSHServer.freePort()
        let (receipt, _) = try bench.send(
            "post", sink(server) { $0.url = "smtp://127.0.0.1:\(port)" })
        #expect(receipt.waiting?.isRefused == false)
    }

    @Test("Signing in with an OAuth2 token works")
    func bearer() throws {
        let server = try server()
        let fresh = sink(server) {
            $0.password = nil
            $0.token = "fresh-token-1"
        }
        #expect(try bench.send("post", fresh).receipt.waiting == nil)
        let stale = sink(server) {
            $0.password = nil
            $0.token = "stale-token-2"
        }
        let reason = try bench.send("post", stale).receipt.waiting
        #expect(reason != nil && reason?.reason.contains("stale-token-2") == false)
    }

    @Test("The test signs in and sends nothing")
    func testing() throws {
        let server = try server()
        let good = try #require(sink(server)["post"])
        let outbox = bench.outbox(try bench.registry([:]))
        #expect(try outbox.test(good).contains("lets 'ada' in"))
        var bad = good
        bad.password = "wrong-word-17"
        #expect(failure { _ = try outbox.test(bad) }?.code == .unreachable)
        #expect(try mails(server).isEmpty)
    }

    @Test("email:ADDRESS uses the only mail server, for that recipient")
    func adHoc() throws {
        let server = try server()
        let (receipt, _) = try bench.send("email:carl@example.org", sink(server))
        #expect(receipt.waiting == nil)
        #expect(try mails(server).map(\.mail.to) == [["carl@example.org"]])
        #expect(
            failure { _ = try bench.send("email:carl@x>@y", sink(server)) }?.code == .invalidOption)
        let none = try OutboxBench()
        let registry = try none.registry([:])
        let error = failure {
            _ = try NamedSink("email:a@b.org", in: registry, outbox: none.outbox(registry))
        }
        #expect(error?.message.contains("No mail server") == true)
    }

    @Test("A name stands for addresses, and email:NAME sends to each of them once")
    func addressBook() throws {
        let server = try server()
        var registry = try bench.registry(sink(server))
        try registry.change {
            try $0.call("carl", ["carl@example.org"])
            try $0.call("board", ["carl@example.org", "dora@example.org"])
        }
        let kept = try SinkRegistry(path: registry.path)
        #expect(kept.list.addresses["board"] == "carl@example.org,dora@example.org")
        for (name, count) in [("email:carl", 1), ("email:board,eve@example.org,carl", 2)] {
            let sink = try NamedSink(name, in: kept, outbox: bench.outbox(kept))
            let writer = try sink.begin(sampleInfo)
            try writer.add(samplePage(samplePicture(.gray8, width: 200 + count, height: 280)))
            #expect(try writer.finish().waiting == nil)
        }
        #expect(
            try mails(server).map(\.mail.to) == [
                ["carl@example.org"],
                ["carl@example.org", "dora@example.org", "eve@example.org"],
            ])
        let outbox = bench.outbox(kept)
        let typo = failure { _ = try NamedSink("email:carol", in: kept, outbox: outbox) }
        #expect(typo?.message.contains("'carl'") == true, "\(typo as Any)")
        // The sink's own name is still the sink.
        #expect(try NamedSink("email:post", in: kept, outbox: outbox).name == "post")
        for (name, list) in [("a b", ["a@b.org"]), ("a", []), ("a", ["nobody"]), ("a", ["a@b>.c"])]
        {
            #expect(throws: (any Error).self) { try registry.change { try $0.call(name, list) } }
        }
        try registry.change { try $0.forget("carl") }
        #expect(try SinkRegistry(path: registry.path).list.addresses.keys.sorted() == ["board"])
        #expect(throws: (any Error).self) { try registry.change { try $0.forget("carl") } }
    }

    @Test(
        "A refresh token gets new tokens when they expire, and its own successor is kept with the sink"
    )
    func refresh() throws {
        let server = try server()
        let peer = try Peer()
        let sinks = sink(server) {
            $0.password = nil
            $0.token = "refresh-token-1"
            $0.parameters?["token-url"] = peer.base + "/token"
            $0.parameters?["client-id"] = "client-7"
        }
        #expect(try bench.send("post", sinks).receipt.waiting == nil)
        let path = bench.folder + "/sinks.json"
        #expect(try SinkRegistry(path: path).sink("post").token == "refresh-token-1x")
        // No new token is requested within the hour.
        let kept = try SinkRegistry(path: path).sinks
        #expect(try bench.send("post", kept, pages: 2).receipt.waiting == nil)
        let asked = { try peer.seen().requests.filter { $0.path == "/token" }.count }
        #expect(try asked() == 1)
        bench.clock.withLock { $0 += 3600 }
        #expect(try bench.send("post", kept, pages: 3).receipt.waiting == nil)
        #expect(try asked() == 2)
        #expect(try SinkRegistry(path: path).sink("post").token == "refresh-token-1xx")
        #expect(try mails(server).count == 3)
        // Nobody knows how old a token is after the clock was set back.
        bench.clock.withLock { $0 -= 315_360_000 }
        #expect(try bench.send("post", kept, pages: 4).receipt.waiting == nil)
        #expect(try asked() == 3)
    }

    @Test("A refresh token that is no longer accepted is refused and not shown")
    func endedRefresh() throws {
        let server = try server()
        let peer = try Peer()
        let sinks = sink(server) {
            $0.password = nil
            $0.token = "ended-token-5"
            $0.parameters?["token-url"] = peer.base + "/token"
            $0.parameters?["client-id"] = "client-7"
        }
        let waiting = try bench.send("post", sinks).receipt.waiting
        #expect(waiting?.isRefused == true && waiting?.reason.contains("invalid_grant") == true)
        #expect(waiting?.reason.contains("ended-token-5") == false)
        try peer.fault("[503]")
        #expect(try bench.send("post", sinks, pages: 2).receipt.waiting?.isRefused == false)
        #expect(try mails(server).isEmpty)
    }

    @Test(
        "A message states its exact length",
        arguments: [0, 1, 56, 57, 58, 58_368, 58_369, 200_001])
    func length(bytes: Int) throws {
        let path = bench.folder + "/file"
        try Data(repeating: 0x41, count: bytes).write(to: URL(filePath: path))
        let message = MailMessage(
            sender: "a@b.org", recipients: ["c@d.org"], subject: "x", body: "y\r\n", date: 0,
            mark: "m", files: [(path, "f.pdf", "application/pdf", bytes)])
        let source = try MailSource(message)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = buffer.withUnsafeMutableBytes { source.read(into: $0) }
            if count == 0 { break }
            text += buffer.prefix(count)
        }
        #expect(text.count == source.length)
        #expect(attachment(String(decoding: text, as: UTF8.self))?.count ?? 0 == bytes)
        #expect(
            !String(decoding: text, as: UTF8.self).split(separator: "\r\n").contains {
                $0.utf8.count > 78
            })
    }
}

extension String {
    func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
