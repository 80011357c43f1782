import FileNames
import FoundationEssentials
import Glibc
import Hashing
import HTTPClient
import Imaging
import Testing

@testable import Delivery

/// Tests folders of services, each with a real server on loopback.
@Suite struct RemoteFolderTests {
    let bench: OutboxBench

    init() throws { bench = try OutboxBench() }

    /// Checks rules that hold for every kind of folder: a document gets its own name, never
    /// replaces another file, and is recognized by its bytes.
    private func checkNames(_ sink: SinkDefinition, files: () -> [String]) throws {
        let first = try bench.send("there", ["there": sink])
        #expect(first.receipt.waiting == nil, "\(first.receipt)")
        #expect(files() == ["2026-05-01 May.pdf"])
        #expect(try bench.send("there", ["there": sink], pages: 2).receipt.waiting == nil)
        #expect(files() == ["2026-05-01 May-2.pdf", "2026-05-01 May.pdf"])
        var deep = sink
        deep.template = "{year}/{month}/{title} 'n \"{counter}\" #1%"
        let third = try bench.send("there", ["there": deep])
        #expect(third.receipt.waiting == nil, "\(third.receipt)")
        #expect(files().contains("2026/05/May 'n \"001\" #1%.pdf"), "\(files())")
        #expect(try bench.outbox(bench.registry([:])).test(sink).contains("removed"))
        #expect(files().count == 3, "\(files())")
    }

    /// The files below a folder, by their paths.
    private func files(_ root: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.flatMap { name -> [String] in
            var status = stat()
            guard stat(root + "/" + name, &status) == 0 else { return [] }
            guard status.st_mode & S_IFMT == S_IFDIR else { return [name] }
            return files(root + "/" + name).map { name + "/" + $0 }
        }.sorted()
    }

    private func deliver(_ outbox: Outbox) -> Outbox.Outcome? {
        outbox.deliver(isDue: false).first?.outcome
    }

    @Test(
        "SFTP: a document is named, never replaces another, and is only sent to the host whose key is pinned"
    )
    func sftp() throws {
        let server = try SSHServer()
        let user = try #require(getpwuid(geteuid()))
        let sink = bench.definition(.sftp) {
            $0.url = "sftp://127.0.0.1:\(server.port)\(server.root)"
            $0.user = String(cString: user.pointee.pw_name)
            $0.parameters = ["host-key": server.hostKey, "key-file": server.key]
        }
        try checkNames(sink) { files(server.root) }
        var other = sink
        other.parameters?["host-key"] = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"
        // The pages differ from the earlier ones, so no existing file is this document.
        let (receipt, _) = try bench.send("there", ["there": other], pages: 3)
        #expect(receipt.waiting?.isRefused == true, "\(receipt)")
        #expect(files(server.root).count == 3)
        other = sink
        other.parameters?["key-file"] = nil
        other.password = "wrong-word-17"
        let (second, outbox) = try bench.send("there", ["there": other], pages: 4)
        #expect(second.waiting?.isRefused == true, "\(second)")
        // The document is already there, as after a lost answer. It is recognized, and not sent
        // twice.
        let all = try outbox.store.items().map { try $0.item.get() }
        let item = try #require(all.first)
        let path = outbox.store.folder(of: item.id) + "/" + item.files[0].name
        let name = "2026-05-01 May-3.pdf"
        try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: server.root + "/" + name))
        let again = bench.outbox(try bench.registry(["there": sink]))
        for delivery in again.deliver(isDue: false) where delivery.id == item.id {
            guard case .delivered(let receipt) = delivery.outcome else {
                Issue.record("\(delivery)")
                continue
            }
            #expect(receipt.locations.first?.hasSuffix("May-3.pdf") == true)
        }
        #expect(files(server.root).filter { $0.hasSuffix("May-3.pdf") }.count == 1)
    }

    private func ftp() throws -> (ServerProcess, SinkDefinition) {
        let server = try ServerProcess("ftp_server.py", ["$F/root", "$F/faults"])
        let sink = bench.definition(.ftps) {
            $0.url = "ftp://127.0.0.1:\(server.port)"
            $0.user = "ada"
            $0.password = "s3cret-word"
            $0.parameters = ["encryption": "none"]
        }
        return (server, sink)
    }

    @Test(
        "FTP: a document is named, never replaces another, and is sent without TLS only if the sink allows it"
    )
    func ftps() throws {
        let (server, sink) = try ftp()
        try checkNames(sink) { files(server.root) }
        var safe = sink
        safe.parameters = nil
        let noTLS = try bench.send("there", ["there": safe], pages: 3).receipt.waiting
        #expect(noTLS?.isRefused == true, "\(noTLS as Any)")
        var wrong = sink
        wrong.password = "wrong-word-17"
        let reason = try bench.send("there", ["there": wrong]).receipt.waiting
        #expect(reason?.isRefused == true && reason?.reason.contains("wrong-word-17") == false)
        #expect(files(server.root).count == 3)
    }

    @Test(
        "FTP: after a full disk or a broken connection the document waits, and then there is one file",
        arguments: ["full", "cut", "lost"])
    func ftpsFaults(fault: String) throws {
        let (server, sink) = try ftp()
        try server.fault("[\"\(fault)\"]")
        let (receipt, outbox) = try bench.send("there", ["there": sink])
        // After a lost answer the file may be found immediately, or at the next try.
        if let waiting = receipt.waiting {
            #expect(!waiting.isRefused, "\(waiting)")
            guard case .delivered = deliver(outbox) else {
                Issue.record("not delivered")
                return
            }
        }
        #expect(files(server.root) == ["2026-05-01 May.pdf"])
    }

    @Test(
        "FTP: a document that the server confirmed and did not keep as a whole waits",
        arguments: ["half", "gone"])
    func ftpLies(fault: String) throws {
        let (server, sink) = try ftp()
        try server.fault("[\"\(fault)\"]")
        let (receipt, outbox) = try bench.send("there", ["there": sink])
        #expect(receipt.waiting?.isRefused == false)
        #expect(receipt.waiting?.reason.contains("accepted the document as") == true)
        guard case .delivered(let receipt) = deliver(outbox), let place = receipt.locations.first
        else {
            Issue.record("not delivered")
            return
        }
        #expect(place.hasSuffix(fault == "half" ? "May-2.pdf" : "May.pdf"))
    }

    @Test(
        "FTP: the sessions of data connections are resumed, whatever TLS the server has",
        arguments: [true, false])
    func ftpsSessions(hasTLS12: Bool) throws {
        let server = try FTPSServer(hasTLS12: hasTLS12)
        let sink = bench.definition(.ftps) {
            $0.url = "ftp://127.0.0.1:\(server.port)/scans"
            $0.user = "ftp"
            $0.password = "s3cret-word"
            $0.parameters = ["ca-file": server.certificate]
        }
        // Many data connections one after another, for lists of names and for documents.
        let registry = try bench.registry(["there": sink])
        let outbox = bench.outbox(registry)
        for number in 1...5 {
            let writer = try NamedSink("there", in: registry, outbox: outbox).begin(sampleInfo)
            try writer.add(samplePage(samplePicture(.gray8, width: 200 + number, height: 280)))
            let waiting = try writer.finish().waiting
            #expect(waiting == nil, "\(number): \(waiting as Any)")
        }
        #expect(files(server.root).count == 5)
        var untrusted = sink
        untrusted.parameters = nil
        let refused = try bench.send("there", ["there": untrusted], pages: 3).receipt.waiting
        #expect(refused?.isRefused == true, "\(refused as Any)")
    }

    @Test("SFTP: the key that a server shows is the one that ssh-keygen prints")
    func hostKey() throws {
        let server = try SSHServer()
        var sink = SinkDefinition(kind: .sftp)
        sink.url = "sftp://127.0.0.1:\(server.port)/"
        let identity = try #require(sink.kind.identity)
        #expect(try identity.ask(sink) == server.hostKey)
        #expect(identity.parameter == "host-key")
        sink.url = "sftp://127.0.0.1:1/"
        #expect(failure { _ = try identity.ask(sink) }?.code == .unreachable)
    }

    private func store() throws -> (ServerProcess, SinkDefinition) {
        let server = try ServerProcess("object_store.py", ["$F/root", "$F/faults"])
        let sink = bench.definition(.s3) {
            $0.url = "http://127.0.0.1:\(server.port)"
            $0.user = "AKID"
            $0.password = "s3cret-word"
            $0.parameters = ["bucket": "scans", "region": "eu-central-1"]
        }
        return (server, sink)
    }

    @Test(
        "SFTP: if the server's disk is full, the document waits, and the reason is shown",
        .enabled(if: SSHServer.mayMount, "only root may mount"))
    func sftpFull() throws {
        let server = try SSHServer(space: "64k")
        let sink = bench.definition(.sftp) {
            $0.url = "sftp://127.0.0.1:\(server.port)\(server.root)"
            $0.user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
            $0.parameters = ["host-key": server.hostKey, "key-file": server.key]
            $0.format = "tiff"
        }
        let registry = try bench.registry(["there": sink])
        let outbox = bench.outbox(registry)
        let writer = try NamedSink("there", in: registry, outbox: outbox).begin(sampleInfo)
        try writer.add(samplePage(samplePicture(.rgb8, width: 600, height: 400)))
        let waiting = try writer.finish().waiting
        #expect(waiting?.isRefused == false, "\(waiting as Any)")
        #expect(waiting?.reason.contains("may be full") == true, "\(waiting as Any)")
        // Delivers again, with the files that the first try has left on the server.
        guard case .waits = deliver(outbox) else {
            Issue.record("it does not wait")
            return
        }
        // The smaller PDF still fits.
        var small = sink
        small.format = "pdf"
        #expect(try bench.send("there", ["there": small]).receipt.waiting == nil)
    }

    private struct Meta: Decodable { var key: String }

    private func keys(_ server: ServerProcess) -> [String] {
        files(server.root).filter { !$0.hasSuffix(".meta") }.compactMap {
            let data = try? Data(contentsOf: URL(filePath: server.root + "/" + $0 + ".meta"))
            return data.flatMap { try? JSONDecoder().decode(Meta.self, from: $0).key }
        }.sorted()
    }

    @Test("S3: a document is signed correctly, named, and never replaces another")
    func s3() throws {
        let (server, sink) = try store()
        try checkNames(sink) { keys(server) }
        var wrong = sink
        wrong.password = "wrong-word-17"
        let reason = try bench.send("there", ["there": wrong]).receipt.waiting
        #expect(reason?.isRefused == true && reason?.reason.contains("wrong-word-17") == false)
        #expect(keys(server).count == 3)
    }

    @Test(
        "S3: after a temporary failure the document waits, and after a lost answer it is there once",
        arguments: ["503", "500", "507", "\"cut\"", "\"part\"", "\"quota\"", "501"])
    func s3Faults(fault: String) throws {
        let (server, sink) = try store()
        try server.fault("[\(fault)]")
        let (receipt, outbox) = try bench.send("there", ["there": sink])
        // 501 says that the condition is not supported. It is then left out, and the document
        // arrives immediately.
        #expect((receipt.waiting == nil) == (fault == "501"))
        if receipt.waiting != nil {
            guard case .delivered = deliver(outbox) else {
                Issue.record("not delivered")
                return
            }
        }
        #expect(keys(server) == ["2026-05-01 May.pdf"])
        // The end of a PDF shows that it is whole.
        for name in files(server.root) where !name.hasSuffix(".meta") {
            let content = try Data(contentsOf: URL(filePath: server.root + "/" + name))
            #expect(String(decoding: content.suffix(8), as: UTF8.self).contains("%%EOF"))
        }
    }

    @Test("rclone: a file is named, never replaces another, and a missing remote is reported")
    func rclone() throws {
        let root = bench.folder + "/remote"
        mkdir(root, 0o755)
        let config = bench.folder + "/rclone.conf"
        try "[shelf]\ntype = alias\nremote = \(root)\n".write(
            toFile: config, atomically: true, encoding: .utf8)
        let sink = bench.definition(.rclone) {
            $0.parameters = ["remote": "shelf:", "config": config]
        }
        try checkNames(sink) { files(root) }
        var missing = sink
        missing.parameters?["remote"] = "nowhere:Scans"
        let reason = try bench.send("there", ["there": missing]).receipt.waiting
        #expect(
            reason?.isRefused == true && reason?.reason.contains("nowhere") == true,
            "\(reason as Any)")
    }
}

/// Tests the kinds that use HTTP or a program, with services that are simulated by their
/// descriptions.
@Suite struct SmallKindTests {
    @Test("Immich gets every page once as a photo, even if answers are lost")
    func immich() throws {
        let bench = try OutboxBench()
        let peer = try Peer()
        let photos = bench.definition(.immich) {
            $0.url = peer.base + "/immich"
            $0.token = "immich-key-1"
        }
        // The second page arrives, but its answer is lost.
        try peer.fault(#"["none", "cut"]"#)
        let registry = try bench.registry(["photos": photos])
        let outbox = bench.outbox(registry)
        let writer = try NamedSink("photos", in: registry, outbox: outbox).begin(sampleInfo)
        for number in 1...3 {
            let picture = samplePicture(.gray8, width: 200 + number, height: 280)
            try writer.add(samplePage(picture, number: number))
        }
        #expect(try writer.finish().waiting?.isRefused == false)
        guard case .delivered(let receipt)? = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        let kept = try peer.seen().documents
        #expect(kept.count == 3 && Set(kept.map(\.key)).count == 3)
        #expect(receipt.remoteID == kept.last?.title)
        // The first page was confirmed, and is not sent again.
        #expect(try peer.seen().requests.count { $0.path == "/immich/api/assets" } == 4)
    }

    @Test(
        "Docspell gets the data that its sink names, and a file that it does not accept is refused")
    func docspell() throws {
        let bench = try OutboxBench()
        let peer = try Peer()
        let docs = bench.definition(.docspell) {
            $0.url = peer.base + "/docspell"
            $0.token = "source-id-17"
            $0.parameters = ["folder": "Letters", "tags": "new, paper"]
        }
        #expect(try bench.send("docs", ["docs": docs]).receipt.waiting == nil)
        let metadata = try #require(try peer.seen().documents.first?.metadata)
        #expect(metadata["folder"] == .text("Letters"))
        #expect(metadata["skipDuplicates"] == .flag(true))
        #expect(metadata["tags"]?["items"] == .list([.text("new"), .text("paper")]))
        try peer.settings(#"{"docspell": false}"#)
        let refused = try bench.send("docs", ["docs": docs], pages: 2).receipt.waiting
        #expect(refused?.isRefused == true && refused?.reason.contains("source-id-17") == false)
    }

    @Test("An interrupted program or webhook is reported as possibly delivered twice")
    func brokenOff() throws {
        let bench = try OutboxBench()
        let peer = try Peer()
        let hook = bench.definition(.webhook) { $0.url = peer.base + "/hook" }
        try peer.fault(#"["cut"]"#)
        let (first, outbox) = try bench.send("hook", ["hook": hook])
        #expect(first.waiting?.isRefused == false)
        guard case .delivered(let later)? = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(later.notes?.first?.contains("twice") == true)
        // An answered try leaves no doubt about its result, so no note is needed.
        try peer.fault("[503]")
        let (second, _) = try bench.send("hook", ["hook": hook], pages: 2)
        #expect(second.waiting != nil)
        guard case .delivered(let clear)? = outbox.deliver(isDue: false).last?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(clear.notes == nil)
    }

    @Test("An interrupted printer is reported as possibly delivered twice; one that answers is not")
    func print() throws {
        let bench = try OutboxBench()
        let source = bench.folder + "/source"
        let script =
            "#!/bin/sh\nd=$(dirname \"$0\")\necho \"$*\" >> \"$d/seen\"\nif [ -e \"$d/kill\" ]; then rm \"$d/kill\"; kill -9 $$; fi\necho 'request id is office-12'\n"
        try script.write(toFile: source, atomically: true, encoding: .utf8)
        let lp = bench.folder + "/lp"
        _ = try Delivery.ProgramRun(["/bin/cp", source, lp], environment: [:], limit: 10)
        chmod(lp, 0o755)
        let printer = bench.definition(.print) {
            $0.command = [lp]
            $0.parameters = ["printer": "office", "copies": "2", "sides": "one-sided"]
        }
        let (receipt, _) = try bench.send("desk", ["desk": printer])
        #expect(
            receipt.waiting == nil && receipt.remoteID == "request id is office-12"
                && receipt.notes == nil)
        let seen = try String(contentsOfFile: bench.folder + "/seen", encoding: .utf8)
        #expect(seen.hasPrefix("-d office -n 2 -t May -o sides=one-sided -- /"))
        try "".write(toFile: bench.folder + "/kill", atomically: true, encoding: .utf8)
        let (second, outbox) = try bench.send("desk", ["desk": printer], pages: 2)
        #expect(second.waiting?.isRefused == false)
        guard case .delivered(let later) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(later.notes?.first?.contains("twice") == true)
    }
}
