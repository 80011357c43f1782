import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Kills `serve` in the middle of a job and starts it again, as systemd would do.
@Suite struct HostRestartTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Runs a Python script with a host; the script can call `ask` and `ended`.
    private func drive(_ host: RunningHost, _ script: String) throws -> String {
        let file = try home.write(
            "\(try home.folder().dropFirst(home.path.count))/drive.py",
            """
            import http.client, json, sys, time
            def ask(method, path, body=None):
                connection = http.client.HTTPConnection("127.0.0.1", \(host.port), timeout=120)
                text = json.dumps(body) if body is not None else None
                connection.request(method, path, text, {"Content-Type": "application/json"} if \
                text else {})
                answer = connection.getresponse()
                return json.loads(answer.read() or "null")
            def until(what, check):
                # Two minutes, which only a fault takes.
                for _ in range(1200):
                    found = check()
                    if found: return found
                    time.sleep(0.1)
                raise Exception("never: " + what + " " + json.dumps(ask("GET", "/api/v1/jobs")))
            def ended(id):
                def check():
                    told = ask("GET", "/api/v1/jobs/" + id)
                    return told if told.get("state") in ("completed", "stopped", "failed") else None
                return until("the end of " + id, check)
            \(script)
            """)
        let outcome = try BuiltProgram.spawn("/usr/bin/python3", [file], in: home).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.filter { $0 != "\n" }
    }

    /// Begins a job with a slow feeder, and returns the job's name once two pages are safe.
    private func begin(_ host: RunningHost, _ more: String = "{}") throws -> String {
        try drive(
            host,
            """
            id = ask("POST", "/api/v1/jobs", {"device": "virtual:feeder", "profile": "none", \
            "title": "Pile",
                "common": {"resolution": 75}, "settings": {"fault": "slow", "fault-page": "3"}, \
                **\(more)})["id"]
            until("two pages", lambda: sum(page["stage"] in ("captured", "finished")
                for page in ask("GET", "/api/v1/jobs/" + id)["pages"]) >= 2)
            print(id)
            """)
    }

    @Test(
        "After a crash of the host in a job, its restart continues the job, once",
        arguments: [SIGILL, SIGKILL, SIGABRT])
    func midJob(_ signal: Int32) throws {
        // If Swift's crash reports were on, the process would survive a signal from outside.
        let first = try RunningHost(in: home, environment: ["SWIFT_BACKTRACE": "enable=no"])
        let job = try begin(first)
        #expect(try first.end(signal).status == 128 + signal)

        let second = try RunningHost(in: home)
        let told = try drive(
            second,
            """
            done = ended("\(job)")
            documents = ask("GET", "/api/v1/documents")["documents"]
            print(done["state"] != "failed", len(done["deliveries"]), len(documents),
                documents[0]["title"], documents[0]["pages"] >= 2)
            """)
        #expect(told == "True 1 1 Pile True")
        let said = RunningHost.said(second.running)
        #expect(said.contains("in the middle of the job \(job)"), "\(said)")
        #expect(try second.end().status == 0)

        // Delivered documents are not delivered again.
        let third = try RunningHost(in: home)
        let later = try drive(
            third,
            #"print(len(ask("GET", "/api/v1/jobs")["jobs"]), len(ask("GET", "/api/v1/documents")["documents"]))"#
        )
        #expect(later == "0 1")
        try third.end()
    }

    @Test("A starting host ignores a command line's jobs, whether interrupted or running")
    func others() throws {
        let spool = ["COPYSTAND_SPOOL": home.path + "/spool"]
        let words = [
            "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "-s", "fault=slow", "-s",
            "fault-page=3",
        ]
        func scan() throws -> BuiltProgram.Running {
            let running = try BuiltProgram.spawn(
                BuiltProgram.path, words + ["-o", "\(home.path)/\(UUID().uuidString).pdf", "-v"],
                in: home, environment: spool)
            // The limit of two minutes is reached only if the test fails.
            for _ in 0..<1200 where !RunningHost.said(running).contains("Page 2:") {
                usleep(100_000)
            }
            return running
        }
        let killed = try scan()
        kill(killed.process, SIGKILL)
        _ = try killed.wait()
        let alive = try scan()
        let host = try RunningHost(in: home)
        let told = try drive(
            host,
            """
            jobs = ask("GET", "/api/v1/jobs")
            print(len(jobs["jobs"]), sorted(job["state"] for job in jobs["stored"]))
            """)
        #expect(told == "0 ['interrupted', 'running']")
        try host.end()
        kill(alive.process, SIGINT)
        let outcome = try alive.wait()
        #expect(!outcome.errors.contains("Another process"), "\(outcome.errors)")
    }

    @Test("A job during which the host died three times is left to its user")
    func fatal() throws {
        var host = try RunningHost(in: home)
        let job = try begin(host)
        try host.end(SIGKILL)
        // The file looks as if two more hosts had died during this job.
        try home.write("spool/\(job)/host", "3")
        host = try RunningHost(in: home)
        let told = try drive(
            host,
            """
            jobs = ask("GET", "/api/v1/jobs")
            print(len(jobs["jobs"]), [job["id"] for job in jobs["stored"]])
            """)
        #expect(told == "0 ['\(job)']")
        try host.end()
    }

    @Test("A job whose delivery failed waits for its user")
    func failed() throws {
        let added = try BuiltProgram.run(
            ["sinks", "add", "hook", "-k", "webhook", "--url", "http://127.0.0.1:9/"], in: home)
        #expect(added.status == 0, "\(added.errors)")
        var host = try RunningHost(in: home)
        let job = try begin(host, #"{"sinks": ["hook"]}"#)
        // A file is in the place of the outbox, so no document can wait for its sink.
        let outbox = home.path + "/.local/state/copystand/outbox"
        try? FileManager.default.removeItem(atPath: outbox)
        try home.write(".local/state/copystand/outbox", "in the way")
        let told = try drive(
            host,
            """
            ask("POST", "/api/v1/jobs/\(job)/stop")
            print(ended("\(job)")["state"])
            """)
        #expect(told == "failed")
        try host.end()
        host = try RunningHost(in: home)
        let later = try drive(
            host,
            """
            jobs = ask("GET", "/api/v1/jobs")
            print(len(jobs["jobs"]), [job["id"] for job in jobs["stored"]])
            """)
        #expect(later == "0 ['\(job)']")
        try host.end()
    }
}
