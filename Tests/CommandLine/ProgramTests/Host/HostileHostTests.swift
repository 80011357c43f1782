import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests `--host` with servers that are not hosts, send wrong data, hang, close connections, or
/// redirect.
@Suite struct HostileHostTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Runs a command with a host that behaves as given; returns the outcome and the requests to
    /// the host.
    private func run(
        _ mode: String, _ words: [String], environment: [String: String] = [:]
    ) throws -> (outcome: BuiltProgram.Outcome, asked: [String]) {
        let record = home.path + "/record"
        let script = TutorialPage.root + "/Tests/CommandLine/ProgramTests/Support/hostile_host.py"
        let host = try BuiltProgram.spawn("/usr/bin/python3", [script, mode, record], in: home)
        defer { host.remove() }
        let address = try RunningHost.waitForAddress(host)
        let outcome = try BuiltProgram.run(
            words + ["--host", address, "--host-timeout", "3s"], in: home,
            environment: environment)
        let asked = (try? String(contentsOfFile: record, encoding: .utf8)) ?? ""
        return (outcome, asked.split(separator: "\n").map(String.init))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path).filter {
            $0.contains(".pdf") || $0.contains("partial")
        }
    }

    @Test(
        "A server that is no host is distinguished from a missing one, with advice",
        arguments: [
            ("json", "not as Copystand does"), ("html", "not as Copystand does"),
            ("missing", "with status 404"), ("numbers", "not as Copystand does"),
            ("endless", "answers with more than 64 MiB"), ("hang", "can't be reached"),
            ("trickle", "can't be reached"), ("redirect:http://127.0.0.1:9/", "another host"),
            ("redirect:/api/v1/search", "redirects without end"),
        ])
    func noHost(_ mode: String, _ says: String) throws {
        for words in [["search", "fox"], ["search", "fox", "--json"]] {
            let (outcome, _) = try run(mode, words)
            #expect(outcome.status == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains(says), "\(outcome.errors)")
            #expect(outcome.errors.contains("copystand serve") || says.contains("redirect"))
            #expect(outcome.output == "")
        }
    }

    @Test("An unreachable host is reported with advice")
    func nobody() throws {
        let outcome = try BuiltProgram.run(
            ["list", "--host", "http://127.0.0.1:1"], in: home)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("The host can't be reached"))
        #expect(outcome.errors.contains("copystand serve"))
    }

    @Test("A host's texts reach the terminal without escape sequences")
    func terminal() throws {
        let (outcome, _) = try run("terminal", ["search", "fox"])
        #expect(outcome.status == 2)
        #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\u{7}"))
        #expect(outcome.errors.contains("way"))
    }

    @Test("A token goes only to the named host, not to the target of a redirect")
    func noToken() throws {
        let other = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [
                TutorialPage.root + "/Tests/CommandLine/ProgramTests/Support/hostile_host.py",
                "json",
                home.path + "/other",
            ], in: home)
        defer { other.remove() }
        let elsewhere = try RunningHost.waitForAddress(other)
        let (outcome, asked) = try run(
            "redirect:\(elsewhere)/api/v1/search", ["search", "fox"],
            environment: ["COPYSTAND_HOST_TOKEN": "secret"])
        #expect(outcome.status == 2)
        #expect(asked.count == 1 && asked[0].hasSuffix("Bearer secret"))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/other"))
    }

    @Test(
        "A job with impossible events is skipped, and nothing is written",
        arguments: [
            ("no-stream", "other than a stream of events"),
            ("endless-event", "an event that never ends"),
            ("wrong-event", "an unexpected event"),
            ("other-job", "an unexpected event"),
        ])
    func events(_ mode: String, _ says: String) throws {
        let (outcome, _) = try run(mode, ["scan", "-o", home.path + "/a.pdf"])
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
        #expect(try files() == [])
    }

    @Test(
        "A host that is silent or hangs up again and again is retried, and then given up",
        arguments: ["silent", "flap"])
    func silent(_ mode: String) throws {
        let (outcome, asked) = try run(mode, ["scan", "-o", home.path + "/a.pdf"])
        #expect(outcome.status == 5, "\(outcome.errors)")
        #expect(outcome.errors.contains("could not be reached for 3 s"))
        #expect(outcome.errors.contains("copystand jobs --host"))
        #expect(asked.count { $0.hasPrefix("GET /api/v1/events") } >= 1)
        #expect(try files() == [])
    }

    @Test("After a lost connection, the events continue after the last known one")
    func cut() throws {
        let (outcome, asked) = try run("cut", ["scan", "-o", home.path + "/a.pdf"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("was lost; the job continues there"))
        #expect(
            asked.filter { $0.hasPrefix("GET /api/v1/events") } == [
                "GET /api/v1/events None None", "GET /api/v1/events r-5 None",
                "GET /api/v1/events r-5 None",
            ])
        #expect(
            try String(contentsOfFile: home.path + "/a.pdf", encoding: .utf8) == "%PDF-whole")
    }

    @Test(
        "A document that does not arrive completely leaves no file",
        arguments: [
            ("short-file", 5, "could not be fetched"),
            ("no-length", 2, "a file whose length is missing or wrong"),
            ("html-file", 2, "with status 500"),
        ])
    func torn(_ mode: String, _ status: Int32, _ says: String) throws {
        let (outcome, _) = try run(mode, ["scan", "-o", home.path + "/a.pdf"])
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
        #expect(try files() == [])
    }

    @Test(
        "An unusable address, certificate or key is refused before anything is sent",
        arguments: [
            (["--host", "scans.local:8470"], "is not a host's address"),
            (["--host", "http://me:pw@scans.local"], "user name"),
            (["--host", "http://scans.local/api"], "something after the host"),
            (["--host", "http://127.0.0.1:1", "--host-ca", "/nowhere"], "https://"),
            (["--host", "https://127.0.0.1:1", "--host-ca", "/nowhere"], "can't be read"),
            (["--host", "https://127.0.0.1:1", "--host-key", "sha256//abc"], "44 characters"),
            (["--host", "http://127.0.0.1:1", "--host-timeout", "0"], "a time above zero"),
            (["--host-token-file", "/nowhere"], "needs --host"),
            (["--host", "http://127.0.0.1:1", "--host-token-file", "/nowhere"], "does not exist"),
        ])
    func addresses(_ words: [String], _ says: String) throws {
        let outcome = try BuiltProgram.run(["list"] + words, in: home)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(says) && !outcome.errors.contains("pw"), "\(outcome.errors)")
    }
}
