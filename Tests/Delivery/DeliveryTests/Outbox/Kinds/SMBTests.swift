import FoundationEssentials
import Glibc
import Imaging
import Testing

@testable import Delivery

/// Tests Windows shares with Samba's server.
///
/// The contract's tests cover the rules that hold for every kind.
@Suite(.enabled(if: SMBServer.mayRun, "smbd runs as root alone")) struct SMBTests {
    let bench: OutboxBench

    init() throws { bench = try OutboxBench() }

    private func sink(
        _ server: SMBServer, share: String = "scans",
        _ change: (inout SinkDefinition) -> Void = { _ in }
    ) -> [String: SinkDefinition] {
        [
            "nas": bench.definition(.smb) {
                $0.url = "smb://127.0.0.1:\(server.port)/\(share)"
                $0.user = server.user
                $0.password = "s3cret-word"
                change(&$0)
            }
        ]
    }

    private func waiting(
        _ server: SMBServer, share: String = "scans",
        _ change: (inout SinkDefinition) -> Void = { _ in }
    ) throws -> Receipt.Waiting? {
        try bench.send("nas", sink(server, share: share, change), timeLimit: 5).receipt.waiting
    }

    @Test(
        "A document arrives unchanged, in folders that are made as needed, and replaces nothing")
    func arrives() throws {
        let server = try SMBServer()
        let deep = sink(server, share: "scans/a%20b/c") { $0.template = "{year}/{title}" }
        let receipt = try bench.send("nas", deep).receipt
        #expect(receipt.waiting == nil, "\(receipt)")
        let path = server.root + "/a b/c/2026/May.pdf"
        #expect(try fileHash(path) == receipt.hashes?.first)
        #expect(
            receipt.locations
                == ["smb://127.0.0.1:\(server.port)/scans/a%20b/c/2026/May.pdf"])
        #expect(filesBelow(server.root).count == 1)
    }

    @Test("Characters that Windows does not allow in names are replaced")
    func names() throws {
        let server = try SMBServer()
        let odd = sink(server) { $0.template = "a? \"b\" <c>|d*. /{title}" }
        #expect(try bench.send("nas", odd).receipt.waiting == nil)
        #expect(filesBelow(server.root) == ["a- -b- -c--d-/May.pdf"])
    }

    @Test("If a share is gone, the document waits; if nobody may write to it, it is refused")
    func shares() throws {
        let server = try SMBServer()
        let gone = try waiting(server, share: "gone")
        #expect(
            gone?.isRefused == false && gone?.reason.contains("no share") == true, "\(gone as Any)")
        let shut = try waiting(server, share: "shut")
        #expect(shut?.isRefused == true, "\(shut as Any)")
        #expect(filesBelow(server.root) == [])
    }

    @Test("A server that only has SMB 1 gets nothing")
    func old() throws {
        let server = try SMBServer("server min protocol = NT1\nserver max protocol = NT1")
        let told = try waiting(server)
        #expect(told != nil, "\(told as Any)")
        #expect(filesBelow(server.root) == [])
    }

    @Test("A server that requires encryption gets everything encrypted")
    func encryption() throws {
        let server = try SMBServer("smb encrypt = required")
        #expect(try waiting(server) == nil)
        #expect(filesBelow(server.root).count == 1)
    }

    @Test("If the server's disk is full, the document waits, and the reason is shown")
    func full() throws {
        let server = try SMBServer(space: "64k")
        let registry = try bench.registry(sink(server) { $0.format = "tiff" })
        let writer = try NamedSink(
            "nas", in: registry, outbox: bench.outbox(registry, timeLimit: 5)
        )
        .begin(sampleInfo)
        // Noise, which even compressed needs more than the remaining space.
        try writer.add(samplePage(samplePicture(.rgb8, width: 600, height: 400)))
        let waiting = try writer.finish().waiting
        #expect(waiting?.isRefused == false, "\(waiting as Any)")
        #expect(waiting?.reason.contains("No space") == true, "\(waiting as Any)")
    }

    /// The file that exists under the name when a delivery is tried again.
    enum There: CaseIterable {
        /// The mark that our first try left.
        case sign
        /// An empty file, left when the earlier try was about to write the mark.
        case emptyOfOurs
        /// An empty file of somebody else.
        case empty
    }

    @Test(
        "A name at which a try was interrupted belongs to this document; one that another has taken does not",
        arguments: There.allCases)
    func reserved(there: There) throws {
        let server = try SMBServer()
        let nobody = sink(server) { $0.url = "smb://127.0.0.1:1/scans" }
        _ = try bench.send("nas", nobody, timeLimit: 2)
        let outbox = bench.outbox(try bench.registry(sink(server)), timeLimit: 5)
        var item = try #require(try outbox.store.items().first?.item.get())
        #expect(item.progress["reserved"] == nil)
        if there == .emptyOfOurs {
            item.progress["reserved"] = "2026-05-01 May.pdf"
            try outbox.store.save(item)
        }
        let sign = "Copystand is about to put a document here: \(item.files[0].sha256)\n"
        let path = server.root + "/2026-05-01 May.pdf"
        try put(Array((there == .sign ? sign : "").utf8), path)
        guard case .delivered(let receipt) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        let name = there == .empty ? "2026-05-01 May-2.pdf" : "2026-05-01 May.pdf"
        #expect(Set(filesBelow(server.root)) == ["2026-05-01 May.pdf", name])
        #expect(try fileHash(server.root + "/" + name) == receipt.hashes?.first)
    }

    @Test(
        "An address without a share, or with an invalid port, is refused",
        arguments: [
            "smb://host", "smb://host/", "smb://host:0/a", "smb://host:70000/a", "http://host/a",
        ])
    func addresses(_ url: String) {
        var sink = SinkDefinition(kind: .smb)
        (sink.url, sink.user, sink.password) = (url, "ada", "s3cret-word")
        #expect(failure { try sink.check() }?.code == .invalidOption)
    }
}
