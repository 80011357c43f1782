import Synchronization
import Testing

@testable import Delivery

/// Tests Paperless sinks with a server that behaves like paperless-ngx, and fails on request.
@Suite struct PaperlessTests {
    let bench: OutboxBench
    let peer: Peer

    init() throws {
        bench = try OutboxBench()
        peer = try Peer()
    }

    private func sinks(_ change: (inout SinkDefinition) -> Void = { _ in }) -> [String:
        SinkDefinition]
    {
        [
            "office": bench.definition(.paperless) {
                $0.url = peer.base + "/paperless/"
                $0.token = "abc123"
                change(&$0)
            }
        ]
    }

    @Test(
        "A document is uploaded, and its task is followed until the document exists",
        arguments: [9, 10])
    func delivered(version: Int) throws {
        try peer.settings(#"{"version": \#(version), "looks": 3, "token": "Token abc123"}"#)
        let (receipt, outbox) = try bench.send(
            "office", sinks { $0.parameters = ["tags": "3, 5", "correspondent": "2"] }, pages: 2)
        #expect(receipt.waiting == nil && receipt.remoteID == "1" && receipt.pages == 2)
        #expect(receipt.locations == [peer.base + "/paperless/documents/1/"])
        let documents = try peer.seen().documents
        #expect(documents.map(\.title) == ["May"] && documents.first?.tags == ["3", "5"])
        #expect(outbox.store.items().isEmpty)
    }

    @Test(
        "An upload whose answer was lost is found, and not repeated",
        arguments: ["cut", "half"])
    func lostAnswer(fault: String) throws {
        try peer.fault(#"["\#(fault)"]"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(receipt.waiting != nil && receipt.locations.first?.hasPrefix("outbox:") == true)
        let again = outbox.deliver(isDue: false)
        guard case .delivered(let delivered) = again.first?.outcome else {
            Issue.record("\(again)")
            return
        }
        #expect(delivered.remoteID == "1")
        #expect(try peer.seen().documents.count == 1)
    }

    @Test("A duplicate that the server already has counts as delivered")
    func duplicate() throws {
        try peer.settings(#"{"task": "duplicate"}"#)
        #expect(try bench.send("office", sinks()).receipt.remoteID == "77")
    }

    @Test("If the task fails, the document is kept, with the reason")
    func failedTask() throws {
        try peer.settings(#"{"task": "failure"}"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(receipt.waiting?.reason.contains("the file is no PDF") == true)
        #expect(try outbox.store.items().map { try $0.item.get().state } == [.refused])
        // A refused document is not tried automatically, but only when a person requests it.
        #expect(outbox.deliver(isDue: true).isEmpty)
        try peer.settings(#"{"task": "success"}"#)
        guard case .delivered = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
    }

    @Test("A long task is checked later, and nothing is uploaded twice")
    func slowTask() throws {
        try peer.settings(#"{"looks": 30}"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(receipt.waiting?.reason == "paperless is still working on it")
        #expect(bench.waits.withLock { $0.count } == 19)
        bench.clock.withLock { $0 += 31 }
        let again = outbox.deliver(isDue: true)
        guard case .delivered = again.first?.outcome else {
            Issue.record("\(again)")
            return
        }
        #expect(try peer.seen().documents.count == 1)
    }

    @Test("Testing a sink shows whether it accepts the token", arguments: [9, 10])
    func tested(version: Int) throws {
        try peer.settings(#"{"version": \#(version), "token": "Token abc123"}"#)
        var sinks = sinks()
        let outbox = bench.outbox(try bench.registry(sinks))
        #expect(try outbox.test(try #require(sinks["office"])).contains("answers"))
        sinks["office"]?.token = "wrong"
        #expect(
            failure { _ = try outbox.test(sinks["office"] ?? SinkDefinition(kind: .exec)) }?.message
                .contains("401") == true)
        #expect(try peer.seen().documents.isEmpty)
    }

    @Test("A wrong token is reported without showing the token")
    func wrongToken() throws {
        try peer.settings(#"{"token": "Token right"}"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(
            receipt.waiting?.reason.contains("401") == true
                && receipt.waiting?.reason.contains("abc123") == false
        )
        let item = try outbox.store.items().map { try $0.item.get() }
        #expect(item.map(\.state) == [.refused])
    }

    @Test(
        "Tasks of other documents are ignored, whatever their result",
        arguments: [9, 10], ["none", "others"])
    func otherTasks(version: Int, listed: String) throws {
        try peer.settings(
            #"{"version": \#(version), "listed": "\#(listed)", "task": "failure"}"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(receipt.waiting?.isRefused == false)
        #expect(receipt.waiting?.reason.contains("does not list its task") == true)
        let item = try #require(try outbox.store.items().first?.item.get())
        let task = try #require(item.progress["task"])
        // The state of the same task is requested again, and the document is not sent twice.
        #expect(outbox.deliver(isDue: false).count == 1)
        let uploads = try peer.seen().requests.filter {
            $0.method == "POST" && $0.headers["accept"]?.hasSuffix("version=\(version)") == true
        }
        #expect(uploads.count == 1)
        #expect(
            try peer.seen().requests.suffix(3).contains { $0.path.contains("task_id=" + task) })
        #expect(outbox.store.items().count == 1)

        try peer.settings(#"{"listed": "all", "task": "success"}"#)
        guard case .delivered(let delivered) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(delivered.remoteID == "1" && outbox.store.items().isEmpty)
    }

    @Test("Our task is found among all tasks, on any page of the list", arguments: [1, 2, 100])
    func pages(size: Int) throws {
        try peer.settings(#"{"listed": "all", "page": \#(size)}"#)
        #expect(try bench.send("office", sinks()).receipt.remoteID == "1")
    }

    @Test(
        "The failure or success of another document's task does not concern our document",
        arguments: [9, 10])
    func all(version: Int) throws {
        try peer.settings(#"{"version": \#(version), "listed": "all", "task": "failure"}"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(receipt.waiting?.reason.contains("the file is no PDF") == true)
        #expect(outbox.store.items().count == 1)
    }

    @Test("A duplicate that version 9 reports only in words counts as delivered as well")
    func oldDuplicate() throws {
        try peer.settings(#"{"task": "duplicate", "version": 9}"#)
        #expect(try bench.send("office", sinks()).receipt.remoteID == "77")
    }

    @Test("A revoked task does not count as delivered", arguments: [9, 10])
    func revoked(version: Int) throws {
        try peer.settings(#"{"task": "revoked", "version": \#(version)}"#)
        let (receipt, outbox) = try bench.send("office", sinks())
        #expect(receipt.waiting?.isRefused == true)
        #expect(receipt.waiting?.reason.contains("revoked") == true)
        #expect(outbox.store.items().count == 1)
    }

    @Test("A success that names no document counts as delivered", arguments: [9, 10])
    func withoutNumber(version: Int) throws {
        try peer.settings(#"{"task": "no-number", "version": \#(version)}"#)
        let receipt = try bench.send("office", sinks()).receipt
        #expect(receipt.waiting == nil && receipt.remoteID == nil)
    }

    @Test("A deleted task has succeeded if its document exists")
    func cleared() throws {
        try peer.settings(#"{"listed": "none"}"#)
        #expect(try bench.send("office", sinks()).receipt.remoteID == "1")
    }
}
