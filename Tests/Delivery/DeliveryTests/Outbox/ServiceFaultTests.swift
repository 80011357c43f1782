import FileNames
import FoundationEssentials
import HTTPClient
import Synchronization
import Testing

@testable import Delivery

/// Tests faults of services, and what happens to the document.
@Suite struct ServiceFaultTests {
    let bench: OutboxBench
    let peer: Peer

    init() throws {
        bench = try OutboxBench()
        peer = try Peer()
    }

    private func hook(_ path: String = "/hook") -> [String: SinkDefinition] {
        [
            "hook": bench.definition(.webhook) {
                $0.url = peer.base + path
                $0.fields = ["serial": "serial_number", "price": "prices.market"]
            }
        ]
    }

    @Test("The document, its data and its key arrive, and the answer completes the record")
    func delivered() throws {
        let (receipt, _) = try bench.send("hook", hook())
        #expect(receipt.fields == ["serial": "C02XK0", "price": "12.5"] && receipt.remoteID == "1")
        let document = try #require(try peer.seen().documents.first)
        #expect(
            document.metadata?["title"]?.text == "May"
                && document.metadata?["text"]?.text == "page 1")
        #expect(document.metadata?["sha256"] == document.sha256?["document"])
        #expect(document.key?.isEmpty == false)
    }

    @Test(
        "Temporary faults are waited for; the document arrives once, with the same key",
        arguments: ["500", "502", "503", "507", "408", "425", #""cut""#, #""half""#, #""refuse""#])
    func transient(fault: String) throws {
        try peer.fault("[\(fault)]")
        let (receipt, outbox) = try bench.send("hook", hook())
        #expect(receipt.waiting != nil)
        #expect(outbox.deliver(isDue: true).isEmpty, "it waits its time")
        bench.clock.withLock { $0 += 46 }
        guard case .delivered = outbox.deliver(isDue: true).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        let keys = Set(try peer.seen().requests.compactMap { $0.headers["idempotency-key"] })
        #expect(keys.count == 1)
    }

    @Test("If a service requests a delay, the delivery waits that long")
    func patience() throws {
        try peer.fault(#"[{"status": 429, "headers": {"Retry-After": "900"}}]"#)
        let (_, outbox) = try bench.send("hook", hook())
        bench.clock.withLock { $0 += 899 }
        #expect(outbox.deliver(isDue: true).isEmpty)
        bench.clock.withLock { $0 += 2 }
        #expect(outbox.deliver(isDue: true).count == 1)
        #expect(outbox.store.items().isEmpty)
    }

    @Test(
        "A failure that waiting can't fix is refused and reported, and the document is kept",
        arguments: [400, 401, 403, 404, 410, 413, 415, 422])
    func permanent(status: Int) throws {
        try peer.fault("[\(status)]")
        let (receipt, outbox) = try bench.send("hook", hook())
        #expect(receipt.waiting?.reason.contains(String(status)) == true)
        let items = outbox.store.items()
        #expect(items.count == 1)
        let item = try #require(try items.first?.item.get())
        #expect(item.state == .refused)
        let file = try #require(item.files.first)
        #expect(try fileHash(outbox.store.folder(of: item.id) + "/" + file.name) == file.sha256)
    }

    @Test(
        "A service that hangs is given up after the time limit, and one that never ends its answer is cut off"
    )
    func endless() throws {
        try peer.fault(#"["hang", "huge"]"#)
        let (receipt, outbox) = try bench.send("hook", hook(), timeLimit: 1)
        #expect(receipt.waiting?.reason.lowercased().contains("time") == true)
        guard case .refused(let words) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not refused")
            return
        }
        #expect(words.contains("MiB"))
    }

    @Test("If nobody answers, the document waits")
    func offline() throws {
        let nobody = ["hook": bench.definition(.webhook) { $0.url = "http://127.0.0.1:1/hook" }]
        let (receipt, outbox) = try bench.send("hook", nobody)
        #expect(receipt.waiting?.reason.contains("127.0.0.1:1") == true)
        #expect(try outbox.store.items().map { try $0.item.get().state } == [.waiting])
    }

    @Test(
        "A redirect within the host is followed; one to another host is refused, and no token goes there"
    )
    func redirects() throws {
        var sinks = hook("/moved")
        sinks["hook"]?.token = "abc123"
        #expect(try bench.send("hook", sinks).receipt.waiting == nil)
        let within = try peer.seen().requests
        #expect(within.map(\.path) == ["/moved", "/hook"])
        #expect(within.allSatisfy { $0.headers["authorization"] == "Bearer abc123" })

        sinks["hook"]?.url = peer.base + "/elsewhere"
        let (receipt, outbox) = try bench.send("hook", sinks)
        #expect(receipt.waiting?.reason.contains("another host") == true)
        #expect(try peer.seen().requests.dropFirst(2).map(\.path) == ["/elsewhere"])
        // The text about the document that is stored and shown has no token either.
        let item = try #require(outbox.store.items().first)
        let path = outbox.store.folder(of: item.id) + "/item.json"
        let note = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(!note.contains("abc123") && receipt.waiting?.reason.contains("abc123") == false)
    }

    @Test("Headers with line ends are refused before anything is sent")
    func headers() throws {
        var sinks = hook()
        sinks["hook"]?.headers = ["X-Key": "a\r\nX-Other: b"]
        let (receipt, _) = try bench.send("hook", sinks)
        #expect(receipt.waiting?.reason.contains("X-Key") == true)
        #expect(try peer.seen().documents.isEmpty)
    }

    @Test("An ordered sink holds back later documents; others do not")
    func order() throws {
        var sinks = hook()
        sinks["hook"]?.isOrdered = true
        try peer.fault("[503, 503]")
        _ = try bench.send("hook", sinks)
        _ = try bench.send("hook", sinks)
        let (_, outbox) = try bench.send("hook", sinks)
        // The third document was delivered immediately, before a run of the whole outbox required
        // the order.
        #expect(outbox.store.items().count == 2)
        try peer.fault("[503]")
        #expect(
            outbox.deliver(isDue: false).count == 1,
            "the second is not tried before the first is there")
        #expect(outbox.deliver(isDue: false).count == 2)
    }

    @Test("Only one process delivers an item at a time")
    func locked() throws {
        try peer.fault("[503]")
        let (receipt, outbox) = try bench.send("hook", hook())
        let id = String(try #require(receipt.locations.first).dropFirst("outbox:".count))
        let lock = try outbox.store.lock(id)
        #expect(failure { _ = try outbox.deliver(id) }?.code == .busy)
        #expect(failure { try outbox.store.drop(id) }?.code == .busy)
        withExtendedLifetime(lock) {}
        _ = consume lock
        try outbox.store.drop(id)
        #expect(failure { _ = try outbox.store.item(id) }?.code == .noSuchItem)
    }
}
