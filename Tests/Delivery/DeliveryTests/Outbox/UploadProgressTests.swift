import Glibc
import Imaging
import Synchronization
import Testing

@testable import Delivery

/// Tests the progress of an upload while it runs.
@Suite struct UploadProgressTests {
    let bench: OutboxBench

    init() throws { bench = try OutboxBench() }

    /// The reports during an upload.
    private struct Told {
        var uploads: [Outbox.Upload] = []
        /// The number of sent bytes that the outbox lists for the item at each report.
        var listed: [Int?] = []
    }

    /// Sends a page of `side` × `side` pixels, and collects its progress.
    private func send(
        _ sink: SinkDefinition, side: Int, format: String
    ) throws -> (receipt: Receipt, told: Told, outbox: Outbox) {
        var sink = sink
        sink.format = format
        let registry = try bench.registry(["there": sink])
        let told = Mutex(Told())
        var outbox = bench.outbox(registry)
        let store = outbox.store
        outbox.onUpload = { upload in
            told.withLock { told in
                told.uploads.append(upload)
                told.listed.append(store.items().first.flatMap { store.sentBytes(of: $0.id) })
            }
        }
        let writer = try NamedSink("there", in: registry, outbox: outbox).begin(sampleInfo)
        try writer.add(samplePage(samplePicture(.rgb8, width: side, height: side)))
        let receipt = try writer.finish()
        return (receipt, told.withLock { $0 }, outbox)
    }

    @Test(
        "While a large document is being sent, the outbox shows its progress, and not afterward",
        arguments: DeliveryTarget.Server.allCases)
    func large(server: DeliveryTarget.Server) throws {
        let target = try DeliveryTarget(server, in: bench.folder)
        let (receipt, told, outbox) = try send(
            target.sink(), side: [.immich: 3200, .email: 900][server] ?? 1200,
            format: server == .immich ? "jpg" : "tiff")
        #expect(receipt.waiting == nil, "\(receipt)")
        let last = try #require(told.uploads.last)
        #expect(last.sink == "there" && last.title == "May" && last.total > 1_000_000)
        let sent = told.uploads.map(\.sent)
        #expect(sent.allSatisfy { (1...last.total).contains($0) } && sent == sent.sorted())
        #expect(told.listed == sent)
        #expect(outbox.store.items().isEmpty)
    }

    @Test("A note from a killed process is ignored after some seconds")
    func leftover() throws {
        let folder = try TemporaryFolder()
        let progress = UploadProgress(folder: folder.path, total: 2_000_000)
        progress.note(500_000, of: 2_000_000)
        #expect(UploadProgress.sent(in: folder.path) == 500_000)
        var times = [timespec(tv_sec: time(nil) - 60, tv_nsec: 0), timespec()]
        times[1] = times[0]
        utimensat(AT_FDCWD, folder.path + "/sending", times, 0)
        #expect(UploadProgress.sent(in: folder.path) == nil)
        progress.end()
        #expect(folder.names.isEmpty)
    }

    @Test(
        "An upload that is longer than the document counts as the document, and pieces are added up"
    )
    func shares() throws {
        let folder = try TemporaryFolder()
        let message = UploadProgress(folder: folder.path, total: 3_000_000)
        message.note(2_000_000, of: 4_000_000)
        #expect(UploadProgress.sent(in: folder.path) == 1_500_000)
        let pieces = UploadProgress(folder: folder.path, total: 30_000_000)
        pieces.note(1_000_000, of: 0, from: 10_000_000)
        #expect(UploadProgress.sent(in: folder.path) == 11_000_000)
        let second = UploadProgress(folder: folder.path, total: 3_000_000)
        second.have(1_000_000)
        second.note(250_000, of: 2_000_000)
        #expect(UploadProgress.sent(in: folder.path) == 1_250_000)
        second.end()
        let small = UploadProgress(folder: folder.path, total: 999_999)
        small.note(500_000, of: 999_999)
        #expect(UploadProgress.sent(in: folder.path) == nil)
    }
}
