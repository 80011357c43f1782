import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests `--host` with a client in a separate home and a real host that scans, uses a camera and
/// searches.
@Suite(.serialized) final class HostCommandTests: TwoMachines {
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: here.path + "/files").sorted()
    }

    private func makeFiles() throws {
        try FileManager.default.createDirectory(
            atPath: here.path + "/files", withIntermediateDirectories: true)
    }

    /// Runs a command with `--host`.
    private func run(_ host: RunningHost, _ words: String...) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(words + ["--host", host.address], in: here)
    }

    @Test("A document is scanned on the host, and arrives here complete, replacing no file")
    func scans() throws {
        try makeFiles()
        let host = try RunningHost(in: there)
        let (pdf, text) = (here.path + "/files/a.pdf", here.path + "/files/a.txt")
        let scan = try run(
            host, "scan", "-d", "virtual:feeder", "-n", "2", "-t", "From afar", "-o", pdf, "-o",
            text)
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(scan.output == pdf + "\n" + text + "\n")
        #expect(scan.errors.contains("Page 2: sheet 2:"))
        let read = try BuiltProgram.shell("pdftotext '\(pdf)' - ; pdfinfo '\(pdf)'", in: here)
        #expect(read.output.contains("LAZY") && read.output.contains("Pages:           2"))
        #expect(read.output.contains("Title:           From afar"))
        let before = try Data(contentsOf: URL(filePath: pdf))
        let again = try run(host, "scan", "-d", "virtual:feeder", "-n", "1", "-o", pdf)
        #expect(again.status == 5 && again.errors.contains("already exists"))
        #expect(try Data(contentsOf: URL(filePath: pdf)) == before)
        #expect(try files() == ["a.pdf", "a.txt"])
        // The client refused the second order, so the host did not scan for it.
        #expect(try run(host, "list").output.split(separator: "\n").count == 2)
        try host.end()
    }

    @Test(
        "A stack is split there, and each document is fetched under its name, as the requested PDF"
    )
    func splits() throws {
        try makeFiles()
        let pages = there.path + "/pages"
        let made = try BuiltProgram.shell(
            """
            mkdir -p '\(pages)' && cd '\(pages)' && "$P" separator -o sheet.pdf >/dev/null && \
            pdftoppm -r 100 -gray -png sheet.pdf 2-sheet && rm sheet.pdf \
            && "$P" scan -q -d virtual:feeder -r 75 -p none -n 2 -o page.png >/dev/null && mv \
            page-001.png 1.png && mv page-002.png 3.png && ls
            """, in: there)
        #expect(made.status == 0, "\(made.errors) \(made.output)")
        let host = try RunningHost(in: there, environment: ["COPYSTAND_VIRTUAL_PAGES": pages])
        let scan = try run(
            host, "scan", "-d", "virtual:feeder", "-p", "none", "--split-at", "separator",
            "--pdf-a",
            "2b", "-o", here.path + "/files/letter.pdf")
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(try files() == ["letter-001.pdf", "letter-002.pdf"], "\(scan.errors)")
        #expect(scan.errors.contains("Split into 2 documents"))
        #expect(scan.errors.contains("jobs resume --split-page keep"))
        #expect(scan.errors.contains("on the host's own machine"))
        for name in try files() {
            let path = here.path + "/files/" + name
            let facts = try BuiltProgram.shell("pdfinfo '\(path)'", in: here)
            #expect(facts.output.contains("Pages:           1"), "\(facts.output)")
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect(bytes.firstRange(of: Data("pdfaid:part".utf8)) != nil)
        }
        let kept = try run(
            host, "export", "1", "--pdf-a", "2b", "-o", here.path + "/files/kept.pdf")
        #expect(kept.status == 0, "\(kept.errors)")
        let form = try Data(contentsOf: URL(filePath: here.path + "/files/kept.pdf"))
        #expect(form.firstRange(of: Data("pdfaid:part".utf8)) != nil)
        let locked = try run(
            host, "scan", "-d", "virtual:feeder", "--pdf-password-file", here.path + "/none")
        #expect(locked.status == 2 && locked.errors.contains("can't be given together"))
        try host.end()
    }

    @Test("The PDF of a document that was imported on the host arrives here byte for byte")
    func originals() throws {
        try makeFiles()
        let made = try BuiltProgram.shell(
            """
            cd '\(there.path)' && "$P" scan -q -d virtual:feeder -n 2 -p none -o 'in 1.pdf' \
            >/dev/null \
            && "$P" import -p none 'in 1.pdf' && "$P" scan -q -d virtual:feeder -n 1
            """, in: there)
        #expect(made.output == "1\n2\n", "\(made.errors)")
        let data = try Data(contentsOf: URL(filePath: there.path + "/in 1.pdf"))
        let host = try RunningHost(in: there)
        let folder = here.path + "/files"
        let export = try run(host, "export", "1", "--original", "-o", folder)
        #expect(export.output == folder + "/in 1.pdf\n", "\(export.errors)")
        #expect(try Data(contentsOf: URL(filePath: folder + "/in 1.pdf")) == data)
        let again = try run(host, "export", "1", "--original", "-o", folder)
        #expect(again.status == 5 && again.errors.contains("already exists"))
        let none = try run(host, "export", "2", "--original", "-o", folder)
        #expect(none.status == 2 && none.errors.contains("has no original"))
        #expect(try files() == ["in 1.pdf"])
        let asked = try BuiltProgram.shell(
            """
            python3 - '\(host.address)/api/v1/documents/' <<'END'
            import sys, urllib.request, urllib.error
            def ask(place, **headers):
                try:
                    return urllib.request.urlopen(urllib.request.Request(sys.argv[1] + place, \
                    headers=headers))
                except urllib.error.HTTPError as error:
                    return error
            whole = ask("1/originals/1")
            print(whole.status, whole.headers["Content-Type"], "in%201.pdf" in \
            whole.headers["Content-Disposition"], len(whole.read()))
            print(ask("1/originals/1", **{"If-None-Match": whole.headers["ETag"]}).code, \
            ask("1/originals/1", Range="bytes=0-4").read())
            print(*[ask(place).code for place in ["1/originals/0", "1/originals/2", \
            "1/originals/x", "2/originals/1", "9/originals/1"]])
            END
            """, in: here)
        #expect(
            asked.output.split(separator: "\n").map(String.init) == [
                "200 application/pdf True \(data.count)", "304 b'%PDF-'", "404 404 404 404 404",
            ], "\(asked.errors)")
        try host.end()
    }

    @Test("Lists, documents and search results of a host look the same as on its own machine")
    func sameWords() throws {
        try makeFiles()
        let host = try RunningHost(in: there)
        let scan = try run(host, "scan", "-d", "virtual:feeder", "-n", "2", "--json")
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(scan.output.contains("\"ending\" : \"completed\""))
        #expect(scan.output.contains("\"name\" : \"deskew\""))
        for words in [
            ["search", "fox"], ["search", "fox", "--json"], ["list"], ["list", "--json"],
            ["list", "-n", "0"],
            ["show", "1"], ["show", "1", "--json"], ["show", "1", "--text"], ["show", "9"],
            ["search", "-n", "1", "fox", "--type", "other"], ["search", "--", "-fox"],
            ["search", "absent"], ["devices"], ["devices", "--json"], ["jobs"], ["jobs", "--json"],
        ] {
            let afar = try BuiltProgram.run(
                words.prefix(1) + ["--host", host.address] + words.dropFirst(), in: here)
            let local = try BuiltProgram.run(
                words, in: there, environment: ["COPYSTAND_SPOOL": there.path + "/spool"])
            #expect(afar.status == local.status, "\(words): \(afar.errors) \(local.errors)")
            #expect(afar.output == local.output, "\(words)")
            #expect(
                afar.errors.replacing(" --host " + host.address, with: "") == local.errors,
                "\(words)")
        }
        let missing = try run(
            host, "export", "1", "--pages", "7", "-o", here.path + "/files/e.pdf")
        #expect(missing.status == 2 && missing.errors.contains("no page 7"), "\(missing.errors)")
        let exported = try run(
            host, "export", "1", "--pages", "1", "-o", here.path + "/files/e.alto.xml")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(
            try String(contentsOf: URL(filePath: here.path + "/files/e.alto.xml"), encoding: .utf8)
                .contains("<alto"))
        try host.end()
    }

    @Test("A jam on the host has the usual exit code and advice; the job can be discarded")
    func jams() throws {
        try makeFiles()
        let host = try RunningHost(in: there)
        let scan = try run(
            host, "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--set", "fault=jam",
            "--set", "fault-page=3", "-o", here.path + "/files/a.tiff", "--json")
        #expect(scan.status == 4, "\(scan.errors)")
        #expect(scan.errors.contains("jam") && scan.errors.contains("put sheet 3"))
        #expect(scan.output.contains("\"errorCode\" : \"jammed\""))
        #expect(scan.output.contains("\"ending\" : \"deviceFailed\""))
        #expect(try files() == ["a.tiff"])
        let jobs = try run(host, "jobs")
        #expect(jobs.output.contains("to be continued, next: sheet 3"), "\(jobs.output)")
        let id = String(jobs.output.split(separator: "\n").last?.prefix { $0 != " " } ?? "")
        let gone = try run(host, "jobs", "discard", id)
        #expect(gone.status == 0 && gone.errors == "Discarded \(id) with 2 pages.\n")
        #expect(try run(host, "jobs", "discard", id).status == 2)
        try host.end()
    }

    @Test(
        "An impossible order is refused by the host with the usual exit code",
        arguments: [
            (["-d", "virtual:fedeer"], 3, "virtual:feeder"),
            (["-d", "virtual:feeder", "-p", "documnt"], 2, "documnt"),
            (["-d", "virtual:feeder", "--sink", "nowhere"], 2, "nowhere"),
            (["-d", "virtual:feeder", "--step", "nothing=on"], 2, "nothing"),
            ([], 3, "use a virtual device: -d virtual:flatbed"),
            (["-d", "virtual:feeder", "--set", "fault=none", "--set", "depth=5"], 2, "depth"),
            (["-o", "/tmp/x.png"], 5, "one file per page"), (["-o", "/nowhere/x.pdf"], 5, "mkdir"),
            (["--collate"], 2, "can't be given together"),
        ])
    func refused(_ words: [String], _ status: Int32, _ says: String) throws {
        let host = try RunningHost(in: there)
        let scan = try BuiltProgram.run(["scan", "--host", host.address] + words, in: here)
        #expect(scan.status == status, "\(scan.errors)")
        #expect(scan.errors.contains(says), "\(scan.errors)")
        #expect(scan.output == "")
        try host.end()
    }

    @Test("Ctrl-C ends the scan on the host, and fetches the pages so far")
    func interrupted() throws {
        try makeFiles()
        let host = try RunningHost(in: there)
        let running = try BuiltProgram.spawn(
            BuiltProgram.path,
            [
                "scan", "--host", host.address, "-d", "virtual:feeder", "-p", "none", "-r", "75",
                "--set", "pages=500", "--set", "fault=slow", "--set", "row-delay=1", "--set",
                "fault-page=4", "-o", here.path + "/files/a.tiff",
            ], in: here)
        try wait(running) { $0.contains("Page 2:") }
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.errors.contains("Stopping"))
        #expect(try files() == ["a.tiff"])
        let told = try BuiltProgram.shell(
            "tiffinfo '\(here.path)/files/a.tiff' | grep -c 'Image Width'", in: here)
        #expect((Int(told.output.filter(\.isNumber)) ?? 0) >= 2)
        try host.end()
    }

    private func wait(_ running: BuiltProgram.Running, until isThere: (String) -> Bool) throws {
        for _ in 0..<600 {
            if isThere(RunningHost.said(running)) { return }
            usleep(50_000)
        }
        throw BuiltProgram.Failure(message: RunningHost.said(running))
    }

    @Test("A host's camera is watched: its states appear here, and the document at Ctrl-C")
    func watches() throws {
        try makeFiles()
        let host = try RunningHost(in: there)
        let running = try BuiltProgram.spawn(
            BuiltProgram.path,
            [
                "watch", "--host", host.address, "-d", "virtual:camera", "--set", "size=640x480",
                "--rate", "12", "-o", here.path + "/files/a.tiff", "--json",
                "--stats",
            ], in: here)
        let out = URL(filePath: running.folder + "/out")
        for _ in 0..<2_400 {
            let text = (try? String(contentsOf: out, encoding: .utf8)) ?? ""
            if text.contains("\"event\":\"page\"") { break }
            usleep(50_000)
        }
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        for event in ["state", "captured", "page", "delivered", "stats"] {
            #expect(lines.contains { $0.contains("\"event\":\"\(event)\"") }, "\(event)")
        }
        #expect(lines.contains { $0.contains("\"state\":\"found\"") || $0.contains("corners") })
        #expect(try files() == ["a.tiff"])
        try host.end()
    }

    @Test("Pages are captured by hand on the host, and without any, nothing is written")
    func watchesByHand() throws {
        try makeFiles()
        let host = try RunningHost(in: there)
        // The space bar is pressed until the page is there; presses before the first frame capture
        // nothing.
        let made = try BuiltProgram.shell(
            """
            for n in $(seq 120); do printf ' '; sleep 0.5; done | "$P" watch --host \
            \(host.address) -d virtual:camera \
            --set size=640x480 --still never -p none --manual -n 1 -o \(here.path)/files/b.tiff
            """, in: here)
        #expect(made.errors.contains("Captured page 1 by hand"), "\(made.errors)")
        #expect(try files() == ["b.tiff"])
        let none = try BuiltProgram.run(
            ["watch", "--host", host.address, "-d", "virtual:feeder"], in: here)
        #expect(none.status == 2 && none.errors.contains("is not a camera"), "\(none.errors)")
        try host.end()
    }
}
