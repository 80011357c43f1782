import Documents
import FoundationEssentials
import Glibc
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

    @Test("Documents are put under a name of their own; a taken name is never replaced")
    func names() throws {
        for _ in 0..<2 {
            #expect(try bench.send("cloud", cloud(), pages: 1).receipt.waiting == nil)
        }
        #expect(try bench.send("cloud", cloud(), pages: 3).receipt.waiting == nil)
        let files = try peer.seen().files
        #expect(
            files.first == "/dav/2026-05-01 May-2.pdf" && files.contains("/dav/2026-05-01 May.pdf"))
        let authorised = try peer.seen().requests.allSatisfy {
            $0.headers["authorization"] == "Basic " + Data("ada:s3cret".utf8).base64EncodedString()
        }
        #expect(authorised)
    }

    @Test(
        "A success that does not speak of our file is no delivery",
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
        "What an upload that broke off has left is made whole, and not left beside the document",
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

    @Test("An empty file of somebody else is not written over, at whatever try")
    func emptyOfOthers() throws {
        // A first try that never came to that name.
        try peer.fault("[503]")
        let other = cloud().mapValues { sink in
            var sink = sink
            sink.template = "other"
            return sink
        }
        let (_, outbox) = try bench.send("cloud", other)
        #expect(outbox.store.items().count == 1)
        try peer.put("/dav/2026-05-01 May.pdf")
        let later = bench.outbox(try bench.book(cloud()))
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
        let book = try bench.book(sinks)
        let outbox = bench.outbox(book)
        let writer = try NamedSink("cloud", in: book, outbox: outbox).begin(sampleInfo)
        // Noise, which no compression makes smaller than what is kept of an answer.
        try writer.add(samplePage(samplePicture(.rgb8, width: 2400, height: 1800)))
        let bytes = try writer.finish().bytes
        try #require(bytes > CurlClient.largestAnswer, "\(bytes) bytes")
        _ = outbox.deliver(isDue: false)
        #expect(try peer.seen().files == ["/dav/May.tiff"])
    }

    @Test("An item in the outbox knows the length of its file")
    func length() throws {
        try peer.fault("[500]")
        let (receipt, _) = try bench.send("cloud", cloud())
        let first = try #require(bench.store.items().first)
        let item = try first.item.get()
        #expect(item.files.map(\.bytes) == [receipt.bytes] && receipt.bytes > 0)
    }
}

@Suite struct OCRServiceTests {
    @Test("Each page goes as a picture no larger than asked, and the answers complete the record")
    func pages() throws {
        let bench = try OutboxBench()
        let peer = try Peer()
        let serial = bench.definition(.ocrService) {
            $0.url = peer.base
            $0.parameters = ["preset": "etched", "device_type": "mac mini"]
            $0.largestSide = 100
        }
        try peer.fault("[200, 500]".replacing("200", with: #""none""#))
        let (receipt, outbox) = try bench.send("serial", ["serial": serial], pages: 2)
        #expect(receipt.waiting?.reason.contains("500") == true)
        guard case .delivered(let delivered) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(delivered.fields?["serial_number"] == "C02XK0")
        let documents = try peer.seen().documents
        // The first page is not sent again.
        #expect(documents.count == 2)
        #expect(
            documents.allSatisfy {
                $0.query == ["preset": ["etched"], "device_type": ["mac mini"]]
            })
    }
}

@Suite struct ExecTests {
    private func run(_ script: String, _ change: (inout SinkDefinition) -> Void = { _ in }) throws
        -> (
            Receipt, Outbox, OutboxBench
        )
    {
        let bench = try OutboxBench()
        let path = bench.folder + "/program"
        let source = bench.folder + "/source"
        try ("#!/bin/sh\n" + script).write(toFile: source, atomically: true, encoding: .utf8)
        // Copied by another process, so that no child of another test's holds it open for writing
        // (ETXTBSY).
        _ = try Delivery.ProgramRun(["/bin/cp", source, path], environment: [:], limit: 10)
        chmod(path, 0o755)
        let exec = bench.definition(.exec) {
            $0.command = [path]
            change(&$0)
        }
        let (receipt, outbox) = try bench.send("own", ["own": exec])
        return (receipt, outbox, bench)
    }

    @Test("The program gets what every program gets of our environment, and what its sink names")
    func environment() throws {
        for name in ["COPYSTAND_HOST_TOKEN", "AWS_SECRET", "SSH_AUTH_SOCK", "MY_CONFIG", "LC_TEST"]
        {
            setenv(name, "value-of-\(name)", 1)
        }
        let (receipt, _, bench) = try run(#"env > "$(dirname "$0")/seen""#) {
            $0.environment = ["MY_CONFIG"]
        }
        #expect(receipt.waiting == nil)
        let seen = try String(contentsOfFile: bench.folder + "/seen", encoding: .utf8)
        let names = Set(seen.split(separator: "\n").compactMap { $0.split(separator: "=").first })
        #expect(names.isSuperset(of: ["PATH", "HOME", "LC_TEST", "MY_CONFIG", "COPYSTAND_TITLE"]))
        for name in ["COPYSTAND_HOST_TOKEN", "AWS_SECRET", "SSH_AUTH_SOCK"] {
            #expect(!seen.contains(name), "\(seen)")
        }
    }

    @Test("What a program prints is told without the secrets in its arguments and environment")
    func printedSecrets() throws {
        setenv("UPLOAD_WORD", "open-sesame-9", 1)
        let script = #"echo "id $UPLOAD_WORD"; echo "bad $UPLOAD_WORD and $2" >&2; exit $CODE"#
        for code in [0, 1] {
            let (receipt, _, _) = try run(script.replacing("$CODE", with: "\(code)")) {
                $0.command = ($0.command ?? []) + ["--token", "hunter-22"]
                $0.environment = ["UPLOAD_WORD"]
            }
            let told = receipt.remoteID ?? receipt.waiting?.reason ?? ""
            #expect(
                told.contains(code == 0 ? "id [secret]" : "bad [secret] and [secret]"), "\(told)")
        }
    }

    @Test(
        "The token for another host, and what is no variable's name, is given to no program",
        arguments: ["COPYSTAND_HOST_TOKEN", "", "A=B", "1A", "A B"])
    func refusedVariables(_ name: String) {
        var exec = program
        exec.environment = [name]
        #expect(failure { try exec.check() }?.code == .invalidOption)
    }

    private var program: SinkDefinition {
        var exec = SinkDefinition(kind: .exec)
        exec.command = ["/bin/true"]
        return exec
    }

    @Test("The program gets the path and the data, and its first line is the receipt's name")
    func delivered() throws {
        let (receipt, outbox, _) = try run(
            #"test "$(head -c 5 "$1")" = %PDF- && echo "$COPYSTAND_TITLE; $# $COPYSTAND_PAGES" && echo more"#
        )
        #expect(receipt.waiting == nil && receipt.remoteID == "May; 1 1")
        #expect(outbox.store.items().isEmpty)
    }

    @Test("Nothing in a title or an argument is read by a shell")
    func noShell() throws {
        let (receipt, _, bench) = try run(#"echo "$1""#) {
            $0.command?.append("$(touch hacked); `id`")
        }
        #expect(receipt.remoteID == "$(touch hacked); `id`")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/hacked"))
    }

    @Test(
        "Its endings are told apart",
        arguments: [
            ("exit 75", OutboxItem.State.waiting), ("echo broken >&2; exit 3", .refused),
            ("kill -9 $$", .refused),
        ])
    func endings(script: String, state: OutboxItem.State) throws {
        let (receipt, outbox, _) = try run(script)
        #expect(receipt.waiting != nil)
        #expect(try outbox.store.items().map { try $0.item.get().state } == [state])
        if script.contains("broken") { #expect(receipt.waiting?.reason.contains("broken") == true) }
    }

    @Test("One that takes too long is ended with all it has started")
    func tooLong() throws {
        let (receipt, _, _) = try run("sleep 1000 & sleep 1000") { $0.timeLimit = 1 }
        #expect(receipt.waiting?.reason.contains("1 s") == true)
    }

    @Test("One that writes without end does not fill the memory, and is ended in time")
    func flood() throws {
        let (receipt, _, _) = try run("yes") { $0.timeLimit = 1 }
        #expect(receipt.waiting?.reason.contains("1 s") == true)
    }

    @Test("One that is not there is told")
    func missing() throws {
        let bench = try OutboxBench()
        let exec = bench.definition(.exec) { $0.command = ["/no/such/program"] }
        let book = try bench.book(["own": exec])
        #expect(failure { _ = try bench.outbox(book).test(exec) }?.code == .unreachable)
        let (receipt, outbox) = try bench.send("own", ["own": exec])
        #expect(receipt.waiting?.reason.contains("/no/such/program") == true)
        #expect(outbox.store.items().count == 1)
    }
}

@Suite struct FolderSinkTests {
    @Test("Documents get their names from the template, never over another, and folders as needed")
    func names() throws {
        let bench = try OutboxBench()
        let shelf = bench.definition(.file) {
            $0.template = bench.folder + "/shelf/{year}/{title}.pdf"
        }
        for _ in 0..<3 {
            #expect(try bench.send("shelf", ["shelf": shelf], pages: 1).receipt.waiting == nil)
        }
        let names = namesIn(bench.folder + "/shelf/2026")
        // The same bytes are the same document; a PDF of another run has another identifier.
        #expect(names.first == "May-2.pdf" || names == ["May.pdf"])
        #expect(names.contains("May.pdf") && !names.contains { $0.hasPrefix(".") })
    }

    @Test(
        "The first barcode of the document makes the name, wherever it stands and whatever it says")
    func barcode() throws {
        let bench = try OutboxBench()
        let shelf = bench.definition(.file) {
            $0.template = bench.folder + "/shelf/{barcode}.json"
        }
        for barcodes in [[nil, "../A:17\u{7}", "other"], [nil, nil, nil]] {
            let book = try bench.book(["shelf": shelf])
            let writer = try NamedSink("shelf", in: book, outbox: bench.outbox(book)).begin(
                sampleInfo)
            for (index, text) in barcodes.enumerated() {
                var page = samplePage(
                    samplePicture(.gray8, width: 40, height: 40), number: index + 1)
                let found = text.map {
                    Finding(
                        kind: .barcode, format: "QRCode", text: $0, confidence: 1, corners: [])
                }
                page.page.provenance.steps = [
                    StepReport(
                        name: "barcodes", summary: "", changed: false, milliseconds: 1,
                        found: [found].compactMap { $0 })
                ]
                try writer.add(page)
            }
            #expect(try writer.finish().waiting == nil)
        }
        #expect(namesIn(bench.folder + "/shelf") == ["-A-17-.json", "no-barcode.json"])
    }
}

@Suite struct SinkRegistryTests {
    @Test("The file is for its owner alone, and one that others may read is refused")
    func privacy() throws {
        let bench = try OutboxBench()
        let book = try bench.book(["hook": bench.definition(.webhook) { $0.url = "https://host/x" }]
        )
        var status = stat()
        #expect(stat(book.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        chmod(book.path, 0o644)
        let error = failure { _ = try SinkRegistry(path: book.path) }
        #expect(error?.code == .permissionDenied && error?.message.contains("chmod 600") == true)
    }

    @Test("A name that is nearly 'archive' is told so")
    func nearArchive() throws {
        let bench = try OutboxBench()
        let book = try bench.book([:])
        let error = failure { _ = try NamedSink("archvie", in: book, outbox: bench.outbox(book)) }
        #expect(error?.message.contains("Did you mean 'archive'?") == true)
    }

    @Test("What was added is there afterwards; what makes no sense is refused and changes nothing")
    func adding() throws {
        let bench = try OutboxBench()
        var book = try bench.book(["hook": bench.definition(.webhook) { $0.url = "https://host/x" }]
        )
        for (name, definition) in [
            ("Archive!", bench.definition(.webhook) { $0.url = "https://host/x" }),
            ("archive", bench.definition(.webhook) { $0.url = "https://host/x" }),
            ("a", bench.definition(.webhook)), ("b", bench.definition(.exec)),
            ("c", bench.definition(.exec) { $0.command = ["relative"] }),
            ("d", bench.definition(.file)),
            ("h", bench.definition(.file) { $0.template = "Scans/{title}.pdf" }),
            ("i", bench.definition(.file) { $0.template = "/Scans/../../{title}.pdf" }),
            (
                "e",
                bench.definition(.webhook) {
                    $0.url = "https://host/x"; $0.format = "docx"
                }
            ),
            (
                "f",
                bench.definition(.webhook) {
                    $0.url = "https://host/x"; $0.largestSide = 100
                }
            ),
            (
                "g",
                bench.definition(.exec) {
                    $0.command = ["/bin/true"]; $0.timeLimit = 0
                }
            ),
        ] {
            #expect(failure { try book.add(name, definition) } != nil, "\(name)")
        }
        #expect(try SinkRegistry(path: book.path).sinks.keys.sorted() == ["hook"])
        #expect(failure { _ = try book.sink("hok") }?.message.contains("'hook'") == true)
    }

    @Test(
        "A damaged file is told, not replaced",
        arguments: ["", "{", #"{"sinks": {"a": {"kind": "fax"}}}"#])
    func damaged(text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/sinks.json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o600)
        #expect(failure { _ = try SinkRegistry(path: path) }?.message.contains(path) == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
}
