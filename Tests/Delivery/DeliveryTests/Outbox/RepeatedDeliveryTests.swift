import Archive
import Documents
import FoundationEssentials
import Glibc
import Imaging
import Synchronization
import Testing

@testable import Delivery

/// Tests that a killed and resumed job gives its document to the outbox again.
@Suite struct RepeatedDeliveryTests {
    let bench: OutboxBench
    let peer: Peer

    init() throws {
        bench = try OutboxBench()
        peer = try Peer()
    }

    private var sinks: [String: SinkDefinition] {
        [
            "hook": bench.definition(.webhook) {
                $0.url = peer.base + "/hook"
                $0.fields = ["serial": "serial_number"]
            }
        ]
    }

    private func send(_ pages: Int = 2, created: Double = 1_800_000_000) throws -> (Receipt, Outbox)
    {
        let registry = try bench.registry(sinks)
        let outbox = bench.outbox(registry)
        let info = DocumentInfo(
            title: "May", created: created, job: "job-1", archive: bench.folder + "/archive")
        let writer = try NamedSink("hook", in: registry, outbox: outbox).begin(info)
        for number in 1...pages {
            try writer.add(samplePage(samplePicture(.gray8, width: 80, height: 60), number: number))
        }
        return (try writer.finish(), outbox)
    }

    private func archived(_ pages: Int = 2) throws -> Archive {
        let archive = try Archive(folder: bench.folder + "/archive", .create)
        let addition = try archive.begin(DocumentInfo(title: "May", created: 1, job: "job-1"))
        for number in 1...pages {
            try addition.add(
                NewPage(
                    page: Page(
                        number: number, width: 8, height: 6, resolution: 75,
                        provenance: Provenance(device: "test:device")),
                    image: [UInt8(number)], media: "image/jpeg"))
        }
        _ = try addition.finish()
        return archive
    }

    @Test("A document that the service has is not sent again, and has the same receipt")
    func once() throws {
        let first = try send().0
        let second = try send().0
        #expect(try peer.seen().documents.count == 1)
        #expect(first == second && first.waiting == nil && first.remoteID == "1")
        #expect(bench.store.items().isEmpty)
    }

    @Test("A document waits in the outbox only once")
    func waiting() throws {
        try peer.fault("[500, 500]")
        _ = try send()
        let (receipt, outbox) = try send()
        #expect(receipt.waiting != nil && bench.store.items().count == 1)
        _ = outbox.deliver(isDue: false)
        #expect(try peer.seen().documents.count == 1)
    }

    @Test("A longer document of the same job counts as another document")
    func longer() throws {
        _ = try send(2)
        _ = try send(3)
        #expect(try peer.seen().documents.count == 2)
    }

    @Test("The receipt and the answer's fields are kept with the archive's document")
    func receipt() throws {
        let archive = try archived()
        let receipt = try send().0
        let document = try archive.document(DocumentID(rawValue: 1))
        let kept = try #require(document.receipts.first)
        #expect(document.receipts.count == 1 && kept.sink == "hook" && kept.remoteID == "1")
        #expect(kept.hash == receipt.hashes?.first && kept.hash?.count == 64)
        #expect(
            document.review.fields == [Field(name: "serial", value: "C02XK0", source: "hook")])
    }

    @Test("A document that the outbox delivers later gets its receipt then")
    func later() throws {
        let archive = try archived()
        try peer.fault("[500]")
        let (receipt, outbox) = try send()
        #expect(receipt.waiting != nil)
        #expect(try archive.document(DocumentID(rawValue: 1)).receipts.isEmpty)
        _ = outbox.deliver(isDue: false)
        #expect(try archive.document(DocumentID(rawValue: 1)).receipts.map(\.sink) == ["hook"])
    }

    @Test("An archive that does not have the document yet gets the receipt with the next delivery")
    func archiveLater() throws {
        let (_, outbox) = try send()
        let archive = try archived()
        _ = outbox.deliver(isDue: true)
        #expect(try archive.document(DocumentID(rawValue: 1)).receipts.map(\.sink) == ["hook"])
    }

    @Test("Notes of deliveries are deleted after a year, and not before")
    func notes() throws {
        let (_, outbox) = try send()
        let folder = bench.store.root + "/delivered"
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder)
        }
        bench.clock.withLock { $0 += 364 * 86_400 }
        _ = outbox.deliver(isDue: true)
        #expect(try names().count == 1)
        bench.clock.withLock { $0 += 2 * 86_400 }
        _ = outbox.deliver(isDue: true)
        #expect(try names().isEmpty)
    }

    @Test(
        "Unfinished files of a killed process are deleted after a while, and files that are being written stay"
    )
    func leftovers() throws {
        let left = bench.store.root + "/.new-20260101-000000-abcdef"
        let held = bench.store.root + "/.new-20260101-000000-ghijkl"
        let new = bench.store.root + "/.new-20260101-000000-mnopqr"
        for path in [left, held, new] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        let lock = try OutboxLock(folder: held, id: "held")
        for path in [left, held] {
            var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 1_000, tv_usec: 0)]
            utimes(path, &times)
        }
        _ = try send()
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: held))
        #expect(FileManager.default.fileExists(atPath: new))
        withExtendedLifetime(lock) {}
    }
}
