import Archive
import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

/// Deliveries of documents that the archive already has.
@Suite struct ArchivedDeliveryTests {
    @Test("A delivery that waits names its document, which has the receipt once it is delivered")
    func waiting() throws {
        let bench = try OutboxBench()
        let writer = try Outputs.sink(for: "archive:\(bench.folder)/a").begin(sampleInfo)
        try writer.add(samplePage(samplePicture(.gray8, width: 80, height: 60), number: 1))
        _ = try writer.finish()
        let archive = try Archive.open(bench.folder + "/a", .readWrite)
        let id = try #require(try archive.documents(DocumentFilter()).first).id
        let program = bench.folder + "/own"
        let own = bench.definition(.exec) { $0.command = [program] }
        let registry = try bench.registry(["own": own])
        let outbox = bench.outbox(registry)
        let receipt = try archive.deliver(id, to: NamedSink("own", in: registry, outbox: outbox))
        #expect(receipt.waiting != nil)
        let item = try #require(outbox.store.items().first).item.get()
        #expect(item.document == id.rawValue && item.archive == archive.place && item.job == nil)
        #expect(try archive.document(id).receipts.allSatisfy { $0.sink != "own" })

        try Data("#!/bin/sh\nexit 0\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        guard case .delivered = try outbox.deliver(item.id).outcome else {
            Issue.record("The document still waits.")
            return
        }
        #expect(outbox.store.items().isEmpty)
        #expect(try archive.document(id).receipts.contains { $0.sink == "own" })
    }
}
