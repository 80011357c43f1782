import Documents
import FoundationEssentials
import Glibc
import HTTPClient
import Imaging
import Testing

@testable import Delivery

@Suite struct WebDAVTests {
    let bench: OutboxBench
    let peer: Peer

    init() throws {
        bench = try OutboxBench()
        peer = try Peer()
    }

    private func cloud(_ template: String? = nil) -> [String: SinkDefinition] {
        [
            "cloud": bench.definition(.webdav) {
                $0.url = peer.base + "/dav"
                $0.user = "ada"
                $0.password = "s3cret"
                $0.template = template
            }
        ]
    }

    @Test("A folder that the server does not have yet is made")
    func missingFolder() throws {
        var sinks = cloud()
        sinks["cloud"]?.url = peer.base + "/dav/new"
        #expect(try bench.send("cloud", sinks).receipt.waiting == nil)
        #expect(try peer.seen().files.contains("/dav/new/2026-05-01 May.pdf"))
    }

    @Test("Documents get their own names, and a file with a used name is never replaced")
    func names() throws {
        for _ in 0..<2 {
            #expect(try bench.send("cloud", cloud(), pages: 1).receipt.waiting == nil)
        }
        #expect(try bench.send("cloud", cloud(), pages: 3).receipt.waiting == nil)
        let files = try peer.seen().files
        #expect(
            files.first == "/dav/2026-05-01 May-2.pdf" && files.contains("/dav/2026-05-01 May.pdf"))
        let authorized = try peer.seen().requests.allSatisfy {
            $0.headers["authorization"] == "Basic " + Data("ada:s3cret".utf8).base64EncodedString()
        }
        #expect(authorized)
    }

    @Test(
        "A success that does not concern our file does not count as a delivery",
        arguments: [200, 202, 203, 207])
    func emptySuccess(status: Int) throws {
        try peer.fault("[\(status)]")
        let (receipt, outbox) = try bench.send("cloud", cloud())
        #expect(receipt.waiting?.isRefused == false)
        #expect(receipt.waiting?.reason.contains("does not hold the document") == true)
        #expect(try peer.seen().files == [])
        guard case .delivered = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(try peer.seen().files == ["/dav/2026-05-01 May.pdf"])
    }

    @Test("Folders are made as needed")
    func folders() throws {
        #expect(try bench.send("cloud", cloud("{year}/{month}/{title}")).receipt.waiting == nil)
        #expect(try peer.seen().files.contains("/dav/2026/05/May.pdf"))
    }

    @Test(
        "An interrupted upload's partial file is completed, not left beside the document",
        arguments: ["torn", "empty"])
    func torn(fault: String) throws {
        try peer.fault("[\"\(fault)\"]")
        let (first, outbox) = try bench.send("cloud", cloud())
        #expect(first.waiting?.isRefused == false)
        guard case .delivered(let receipt) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        let seen = try peer.seen()
        #expect(seen.files == ["/dav/2026-05-01 May.pdf"])
        #expect(seen.requests.last?.method == "PUT" && seen.requests.last?.bytes == receipt.bytes)
    }

    @Test("Another person's empty file is not overwritten, at any try")
    func emptyOfOthers() throws {
        // The first try did not reach that name.
        try peer.fault("[503]")
        let other = cloud().mapValues { sink in
            var sink = sink
            sink.template = "other"
            return sink
        }
        let (_, outbox) = try bench.send("cloud", other)
        #expect(outbox.store.items().count == 1)
        try peer.put("/dav/2026-05-01 May.pdf")
        let later = bench.outbox(try bench.registry(cloud()))
        guard case .delivered = later.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(
            try peer.seen().files == ["/dav/2026-05-01 May-2.pdf", "/dav/2026-05-01 May.pdf"])
    }

    @Test("A document whose answer was lost is recognized by its bytes")
    func lostAnswer() throws {
        try peer.fault(#"["cut"]"#)
        let (_, outbox) = try bench.send("cloud", cloud())
        guard case .delivered(let receipt) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(
            receipt.locations.first?.hasSuffix("/May.pdf") == true
                || receipt.locations.first?.hasSuffix("%20May.pdf") == true)
        #expect(try peer.seen().files.count == 1)
    }

    @Test("A large document whose answer was lost is recognized too")
    func largeLostAnswer() throws {
        try peer.fault(#"["cut"]"#)
        let sinks = cloud("{title}.tiff").mapValues { sink in
            var sink = sink
            sink.format = "tiff"
            return sink
        }
        let registry = try bench.registry(sinks)
        let outbox = bench.outbox(registry)
        let writer = try NamedSink("cloud", in: registry, outbox: outbox).begin(sampleInfo)
        // The picture is noise, so the answer stays larger than its stored part even when
        // compressed.
        try writer.add(samplePage(samplePicture(.rgb8, width: 2400, height: 1800)))
        let bytes = try writer.finish().bytes
        try #require(bytes > WebRequest.largestAnswer, "\(bytes) bytes")
        _ = outbox.deliver(isDue: false)
        #expect(try peer.seen().files == ["/dav/May.tiff"])
    }

    @Test("An item in the outbox has the length of its file")
    func length() throws {
        try peer.fault("[500]")
        let (receipt, _) = try bench.send("cloud", cloud())
        let first = try #require(bench.store.items().first)
        let item = try first.item.get()
        #expect(item.files.map(\.bytes) == [receipt.bytes] && receipt.bytes > 0)
    }
}
