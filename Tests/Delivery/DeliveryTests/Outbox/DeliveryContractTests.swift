import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

/// Tests the contract of every kind of sink that sends documents to a server.
///
/// A proxy in front of the real server breaks connections at various places.
@Suite struct DeliveryContractTests {
    typealias Server = DeliveryTarget.Server

    /// The fault of the first connection, in the proxy's terms.
    static let faults =
        ["\"refuse\"", "\"hang\""]
        + [200, 600, 750, 900, 1000, 2200, 5000].map { "[\"cut\", \($0)]" }
        + [900, 2200, 3500, 5000].map { "[\"lost\", \($0)]" }

    let bench: OutboxBench

    init() throws { bench = try OutboxBench() }

    /// Sends a unique document.
    ///
    /// - Parameter timeLimit: the seconds for which the server may be silent.
    private func send(
        _ title: String, number: Int, _ sink: SinkDefinition, timeLimit: Int = 60
    ) throws -> (receipt: Receipt, outbox: Outbox) {
        let registry = try bench.registry(["there": sink])
        let outbox = bench.outbox(registry, timeLimit: timeLimit)
        var info = sampleInfo
        info.title = title
        let writer = try NamedSink("there", in: registry, outbox: outbox).begin(info)
        try writer.add(
            samplePage(samplePicture(.gray8, width: 200 + number, height: 280), number: 1))
        return (try writer.finish(), outbox)
    }

    /// The receipt of a document, after all tries.
    private func receipt(_ first: Receipt, _ outbox: Outbox) -> Receipt? {
        if first.waiting == nil { return first }
        guard first.waiting?.isRefused == false else { return nil }
        for _ in 0..<4 {
            for delivery in outbox.deliver(isDue: false) {
                if case .delivered(let receipt) = delivery.outcome { return receipt }
                if case .refused = delivery.outcome { return nil }
            }
        }
        return nil
    }

    @Test(
        "After any fault, each document arrives once, or is reported as possibly duplicated",
        arguments: Server.allCases)
    func broken(server: Server) throws {
        let target = try DeliveryTarget(server, in: bench.folder)
        let proxy = try ServerProcess("fault_proxy.py", ["\(target.port)", "$F/faults"])
        var most = 0
        var waited = 0
        for (number, fault) in Self.faults.enumerated() {
            try proxy.fault("[\(fault)]")
            let (first, outbox) = try send(
                "Document \(number)", number: number, target.sink(port: proxy.port), timeLimit: 2)
            if first.waiting != nil { waited += 1 }
            guard let receipt = receipt(first, outbox) else {
                Issue.record("\(fault): not delivered: \(first.waiting?.reason ?? "")")
                continue
            }
            let isTold = receipt.notes?.contains { $0.contains("twice") } == true
            #expect(!isTold || server.mayDouble, "\(fault): \(receipt.notes ?? [])")
            most += isTold ? 2 : 1
            let there = try target.documents()
            #expect((number + 1...most).contains(there), "\(fault): \(there) of \(number + 1)")
            #expect(outbox.store.items().isEmpty)
        }
        // A proxy without faults would prove nothing.
        #expect(waited >= 3, "\(waited) of \(Self.faults.count) waited")
        guard server.isFolder else { return }
        let names = target.files.filter { !$0.hasSuffix("/") }.sorted()
        #expect(
            names == Self.faults.indices.map { "2026-05-01 Document \($0).pdf" }.sorted(),
            "\(names)")
    }

    @Test(
        "A wrong secret is refused and not shown, and nothing arrives",
        arguments: Server.allCases)
    func wrongSecret(server: Server) throws {
        let target = try DeliveryTarget(server, in: bench.folder)
        var sink = target.sink()
        if server == .sftp { sink.parameters?["key-file"] = nil }
        if sink.token == nil {
            sink.password = "wrong-word-17"
        } else {
            sink.token = "wrong-word-17"
        }
        let waiting = try send("May", number: 0, sink).receipt.waiting
        #expect(waiting?.isRefused == true, "\(waiting as Any)")
        #expect(waiting?.reason.contains("wrong-word-17") == false, "\(waiting as Any)")
        #expect(try target.documents() == 0)
    }

    @Test("If nobody answers, the document waits", arguments: Server.allCases)
    func offline(server: Server) throws {
        let target = try DeliveryTarget(server, in: bench.folder)
        let nobody = try SSHServer.freePort()
        let (receipt, outbox) = try send("May", number: 0, target.sink(port: nobody))
        #expect(receipt.waiting?.isRefused == false, "\(receipt.waiting as Any)")
        #expect(outbox.store.items().count == 1)
    }

    @Test(
        "A name that is taken is left alone, and the same document is recognized",
        arguments: Server.allCases.filter(\.isFolder))
    func taken(server: Server) throws {
        let target = try DeliveryTarget(server, in: bench.folder)
        for number in 0..<3 {
            #expect(try send("May", number: number, target.sink()).receipt.waiting == nil)
        }
        #expect(
            target.files.sorted() == [
                "2026-05-01 May-2.pdf", "2026-05-01 May-3.pdf", "2026-05-01 May.pdf",
            ])
        var deep = target.sink()
        deep.template = "{year}/{month}/{title} 'n {counter} #1%"
        let receipt = try send("May", number: 4, deep).receipt
        #expect(receipt.waiting == nil, "\(receipt)")
        #expect(target.files.contains("2026/05/May 'n 001 #1%.pdf"), "\(target.files)")
    }

    @Test(
        "A test of a sink leaves nothing there, and reports a wrong secret",
        arguments: Server.allCases)
    func testing(server: Server) throws {
        let target = try DeliveryTarget(server, in: bench.folder)
        let outbox = bench.outbox(try bench.registry([:]))
        let words = try outbox.test(target.sink())
        #expect(!words.isEmpty)
        if server.isFolder { #expect(words.contains("removed"), "\(words)") }
        #expect(try target.documents() == 0)
        // A webhook has no request besides the one that sends, and Docspell's id is only checked by
        // a delivery.
        guard ![.webhook, .docspell].contains(server) else { return }
        var wrong = target.sink()
        if server == .sftp { wrong.parameters?["key-file"] = nil }
        if wrong.token == nil {
            wrong.password = "wrong-word-17"
        } else {
            wrong.token = "wrong-word-17"
        }
        let error = failure { _ = try outbox.test(wrong) }
        #expect(error?.code == .unreachable && error?.message.contains("wrong-word-17") == false)
    }
}
