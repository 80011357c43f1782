import Documents
import FoundationEssentials
import Glibc
import Imaging
import Testing

@testable import Delivery

@Suite struct OCRServiceTests {
    @Test(
        "Each page is sent as a picture no larger than requested, and the answers complete the record"
    )
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
        // Another process copies the program, so that no child of another test's holds the program
        // open for writing (ETXTBSY).
        _ = try Delivery.ProgramRun(["/bin/cp", source, path], environment: [:], limit: 10)
        chmod(path, 0o755)
        let exec = bench.definition(.exec) {
            $0.command = [path]
            change(&$0)
        }
        let (receipt, outbox) = try bench.send("own", ["own": exec])
        return (receipt, outbox, bench)
    }

    @Test(
        "The program gets the usual part of our environment, and the variables that its sink names")
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

    @Test("A program's output is shown without the secrets of its arguments and environment")
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
        "The token for another host, and invalid names of variables, are never passed to a program",
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

    @Test("No shell interprets a title or an argument")
    func noShell() throws {
        let (receipt, _, bench) = try run(#"echo "$1""#) {
            $0.command?.append("$(touch hacked); `id`")
        }
        #expect(receipt.remoteID == "$(touch hacked); `id`")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/hacked"))
    }

    @Test(
        "A program's exit codes have different effects",
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

    @Test("A program that takes too long is ended with everything that it has started")
    func tooLong() throws {
        let (receipt, _, _) = try run("sleep 1000 & sleep 1000") { $0.timeLimit = 1 }
        #expect(receipt.waiting?.reason.contains("1 s") == true)
    }

    @Test("A program with endless output does not fill the memory, and is ended in time")
    func flood() throws {
        let (receipt, _, _) = try run("yes") { $0.timeLimit = 1 }
        #expect(receipt.waiting?.reason.contains("1 s") == true)
    }

    @Test("A missing program is reported")
    func missing() throws {
        let bench = try OutboxBench()
        let exec = bench.definition(.exec) { $0.command = ["/no/such/program"] }
        let registry = try bench.registry(["own": exec])
        #expect(failure { _ = try bench.outbox(registry).test(exec) }?.code == .unreachable)
        let (receipt, outbox) = try bench.send("own", ["own": exec])
        #expect(receipt.waiting?.reason.contains("/no/such/program") == true)
        #expect(outbox.store.items().count == 1)
    }
}

@Suite struct FolderSinkTests {
    @Test(
        "Documents get their names from the template, never replace another, and folders are made as needed"
    )
    func names() throws {
        let bench = try OutboxBench()
        let shelf = bench.definition(.file) {
            $0.template = bench.folder + "/shelf/{year}/{title}.pdf"
        }
        for _ in 0..<3 {
            #expect(try bench.send("shelf", ["shelf": shelf], pages: 1).receipt.waiting == nil)
        }
        let names = namesIn(bench.folder + "/shelf/2026")
        // Equal bytes count as the same document, but a PDF of another run has another identifier,
        // so a second file is allowed too.
        #expect(names.first == "May-2.pdf" || names == ["May.pdf"])
        #expect(names.contains("May.pdf") && !names.contains { $0.hasPrefix(".") })
    }

    @Test(
        "The first barcode of the document becomes the name, with any place and contents")
    func barcode() throws {
        let bench = try OutboxBench()
        let shelf = bench.definition(.file) {
            $0.template = bench.folder + "/shelf/{barcode}.json"
        }
        for barcodes in [[nil, "../A:17\u{7}", "other"], [nil, nil, nil]] {
            let registry = try bench.registry(["shelf": shelf])
            let writer = try NamedSink("shelf", in: registry, outbox: bench.outbox(registry)).begin(
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
