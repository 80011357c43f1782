import FoundationEssentials
import Glibc
import Testing

/// Tests that the program stops soon while a sink hangs, and that pending documents are delivered
/// later.
@Suite(.serialized) struct StopTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// A service that accepts a document and does not answer while the file `hangs` exists; it
    /// lists its documents in the file `took`.
    private func service() throws -> (process: BuiltProgram.Running, url: String) {
        let program = try home.write(
            "service.py",
            """
            import http.server, os, sys, threading
            home = sys.argv[1]
            class Service(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    self.rfile.read(int(self.headers["Content-Length"]))
                    if os.path.exists(home + "/hangs"):
                        open(home + "/asked", "a").write("asked\\n")
                        threading.Event().wait()
                    open(home + "/took", "a").write("took\\n")
                    self.send_response(200); self.send_header("Content-Length", "0"); \
                    self.end_headers()
                def log_message(self, *_): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
            open(home + "/port.part", "w").write(str(server.server_address[1]))
            os.rename(home + "/port.part", home + "/port")
            server.serve_forever()
            """)
        let process = try BuiltProgram.spawn("/usr/bin/python3", [program, home.path], in: home)
        waitForFile("port")
        let port = try String(contentsOfFile: home.path + "/port", encoding: .utf8)
        return (process, "http://127.0.0.1:\(port)/")
    }

    /// A program that accepts a document, and ignores requests to end while the file `hangs`
    /// exists.
    private func program() throws -> String {
        try home.write(
            "take.sh",
            """
            #!/bin/sh
            trap '' TERM
            if [ -e '\(home.path)/hangs' ]; then
              echo asked >> '\(home.path)/asked'
              sleep 1000 &
              wait; wait; sleep 1000
            fi
            echo took >> '\(home.path)/took'
            """, mode: 0o755)
    }

    private func waitForFile(_ name: String) {
        for _ in 0..<3000 where access(home.path + "/" + name, F_OK) != 0 { usleep(20_000) }
    }

    private var environment: [String: String] { ["COPYSTAND_SPOOL": home.path + "/spool"] }

    private func run(_ words: String...) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(words, in: home, environment: environment)
    }

    private func lines(_ name: String) -> Int {
        let text = try? String(contentsOfFile: home.path + "/" + name, encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    /// Waits for a program's end.
    ///
    /// A program that still runs after half a minute is killed, and the result is nil. The
    /// documented limit is ten seconds; a busy machine gets three times as long, and waiting for
    /// the sink would take at least a minute.
    private func end(_ running: BuiltProgram.Running) throws -> BuiltProgram.Outcome? {
        for _ in 0..<600 {
            var information = siginfo_t()
            waitid(P_PID, id_t(running.process), &information, WEXITED | WNOWAIT | WNOHANG)
            if information.si_signo != 0 { return try running.wait() }
            usleep(50_000)
        }
        kill(running.process, SIGKILL)
        _ = try running.wait()
        return nil
    }

    private func addSink(_ kind: String) throws -> BuiltProgram.Running? {
        if kind == "exec" {
            let added = try run("sinks", "add", "sink", "--kind", "exec", "--command", program())
            #expect(added.status == 0, "\(added.errors)")
            return nil
        }
        let (process, url) = try service()
        let added = try run("sinks", "add", "sink", "--kind", "webhook", "--url", url)
        #expect(added.status == 0, "\(added.errors)")
        return process
    }

    @Test(
        "A host stops within seconds though a sink hangs, and delivers once after its restart",
        arguments: [("webhook", SIGTERM), ("exec", SIGTERM), ("webhook", SIGINT)])
    func host(_ kind: String, _ signal: Int32) throws {
        let service = try addSink(kind)
        defer { service?.remove() }
        _ = try home.write("hangs")
        let host = try RunningHost(in: home)
        let begun = try BuiltProgram.shell(
            "curl -sS --fail -X POST -H 'Content-Type: application/json' -d '{\"device\":\"virtual:feeder\",\"profile\":\"none\",\"pages\":1,\"sinks\":[\"sink\"]}' \(host.address)/api/v1/jobs",
            in: home)
        #expect(begun.status == 0, "\(begun.errors)")
        // A client that follows events and a silent client do not delay the end either.
        let viewer = try BuiltProgram.spawn(
            "/usr/bin/curl", ["-sN", host.address + "/api/v1/events"], in: home)
        waitForFile("asked")
        kill(host.running.process, signal)
        let outcome = try #require(try end(host.running), "the host did not end")
        #expect(outcome.status == 0, "\(outcome.errors)")
        _ = try viewer.wait()
        #expect(lines("asked") == 1 && lines("took") == 0)
        let waiting = try run("outbox", "--json")
        #expect(waiting.output.contains("\"waiting\""), "\(waiting.output)")
        unlink(home.path + "/hangs")
        let again = try RunningHost(in: home)
        waitForFile("took")
        for _ in 0..<500 where try !run("outbox").errors.contains("Nothing is waiting") {
            usleep(20_000)
        }
        try again.end()
        #expect(lines("took") == 1)
    }

    @Test("'outbox retry' names what is damaged, also without an ID", arguments: [[], ["--due"]])
    func damaged(more: [String]) throws {
        let folder = home.path + "/.local/state/copystand/outbox/20261129-101500-abcdef"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        _ = try home.write(".local/state/copystand/outbox/20261129-101500-abcdef/item.json", "{")
        let retried = try BuiltProgram.run(
            ["outbox", "retry"] + more, in: home, environment: environment)
        #expect(retried.status == 5)
        #expect(retried.errors.contains("copystand outbox drop 20261129-101500-abcdef"))
        #expect(!retried.errors.contains("Nothing is due yet"))
    }

    @Test(
        "A command stops within seconds of Ctrl-C though a sink hangs; the outbox has the document",
        arguments: ["webhook", "exec"])
    func command(_ kind: String) throws {
        let service = try addSink(kind)
        defer { service?.remove() }
        _ = try home.write("hangs")
        for words in [
            ["scan", "-d", "virtual:feeder", "-n", "1", "-p", "none", "--sink", "sink"],
            ["outbox", "retry"],
        ] {
            unlink(home.path + "/asked")
            let running = try BuiltProgram.spawn(
                BuiltProgram.path, words, in: home, environment: environment)
            waitForFile("asked")
            kill(running.process, SIGINT)
            _ = try #require(try end(running), "\(words) did not end")
            #expect(try run("outbox", "--json").output.contains("\"waiting\""))
        }
        unlink(home.path + "/hangs")
        #expect(try run("outbox", "retry", "--due").status == 0)
        #expect(lines("took") == 1)
    }
}
