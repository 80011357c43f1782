import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

/// Tests large files, which are sent to Nextcloud in pieces.
///
/// The contract's tests cover small files.
@Suite struct NextcloudTests {
    let bench: OutboxBench
    let server: ServerProcess

    init() throws {
        bench = try OutboxBench()
        server = try ServerProcess("nextcloud.py", ["$F/root", "$F/faults"])
    }

    private func sink(_ template: String = "{title}") -> [String: SinkDefinition] {
        [
            "cloud": bench.definition(.nextcloud) {
                $0.url = "http://127.0.0.1:\(server.port)/remote.php/dav/files/ada/"
                $0.user = "ada"
                $0.password = "s3cret-word"
                $0.format = "tiff"
                $0.template = template
            }
        ]
    }

    /// Sends a document of more than two pieces.
    private func send(_ template: String = "{title}") throws -> (Receipt, Outbox) {
        let registry = try bench.registry(sink(template))
        let outbox = bench.outbox(registry)
        let writer = try NamedSink("cloud", in: registry, outbox: outbox).begin(sampleInfo)
        try writer.add(samplePage(samplePicture(.rgb8, width: 4000, height: 3600)))
        let receipt = try writer.finish()
        #expect(receipt.bytes > 2 * NextcloudChunks.size, "\(receipt.bytes) bytes")
        return (receipt, outbox)
    }

    private func deliver(_ outbox: Outbox) -> Receipt? {
        guard case .delivered(let receipt)? = outbox.deliver(isDue: false).first?.outcome else {
            return nil
        }
        return receipt
    }

    @Test("A large file is sent in pieces, despite a proxy's limit, and arrives complete")
    func pieces() throws {
        let (receipt, _) = try send("{year}/{title}")
        #expect(receipt.waiting == nil, "\(receipt.waiting as Any)")
        #expect(filesBelow(server.root) == ["2026/May.tiff"])
        #expect(try fileHash(server.root + "/2026/May.tiff") == receipt.hashes?.first)
        #expect(filesBelow(server.folder + "/uploads") == [])
    }

    @Test(
        "An interrupted upload continues with the next piece, and the file is there once",
        arguments: [
            #"["none", 503]"#, #"["none", "cut"]"#, #"["none", 507, "none", "expire"]"#,
            #"["none", "none", "none", 502]"#,
        ])
    func brokenOff(faults: String) throws {
        try server.fault(faults)
        let (first, outbox) = try send()
        #expect(first.waiting?.isRefused == false, "\(first.waiting as Any)")
        let receipt = deliver(outbox) ?? deliver(outbox)
        #expect(filesBelow(server.root) == ["May.tiff"])
        #expect(try fileHash(server.root + "/May.tiff") == receipt?.hashes?.first)
    }

    @Test("A file whose last answer was lost is recognized immediately")
    func lostAnswer() throws {
        try server.fault(#"["none", "none", "none", "cut"]"#)
        let (receipt, _) = try send()
        #expect(receipt.waiting == nil, "\(receipt.waiting as Any)")
        #expect(filesBelow(server.root) == ["May.tiff"])
        #expect(try fileHash(server.root + "/May.tiff") == receipt.hashes?.first)
    }

    @Test("A name that is taken, before the upload or during it, is left alone")
    func taken() throws {
        try put(Array("mine".utf8), server.root + "/May.tiff")
        let (receipt, _) = try send()
        #expect(receipt.waiting == nil)
        #expect(filesBelow(server.root) == ["May-2.tiff", "May.tiff"])
        #expect(try text(server.root + "/May.tiff") == "mine")
    }

    @Test(
        "An address other than that of a Nextcloud's files is refused",
        arguments: [
            "https://host/dav", "https://host/remote.php/dav/files/",
            "https://host/remote.php/webdav/",
        ])
    func addresses(_ url: String) {
        var sink = SinkDefinition(kind: .nextcloud)
        sink.url = url
        #expect(failure { try sink.check() }?.message.contains("files/USER") == true)
    }
}
