import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import CaptureHost

/// Tests which of the host's environment variables a backend gets.
@Suite struct BackendEnvironmentTests {
    @Test(
        "A backend gets the variables that programs need, and none that may be a secret",
        arguments: [
            ("PATH", true), ("HOME", true), ("LC_ALL", true), ("XDG_CONFIG_HOME", true),
            ("SANE_CONFIG_DIR", true), ("SANE_DEBUG_EPSON2", true), ("TZ", true),
            ("LD_LIBRARY_PATH", true), ("COPYSTAND_VIRTUAL_PAGES", true),
            ("COPYSTAND_HOST_TOKEN", false), ("COPYSTAND_SPOOL", false),
            ("AWS_SECRET_ACCESS_KEY", false), ("GITHUB_TOKEN", false), ("DISPLAY", false),
            ("SSH_AUTH_SOCK", false), ("SANE_PASSWORD", false), ("XDG_API_KEY", false),
            ("http_proxy", false), ("PGPASSWORD", false), ("ANYTHING", false),
        ])
    func usual(name: String, isPassed: Bool) {
        let passed = BackendEnvironment.variables(asked: [], from: [name: "value"])
        #expect(passed == (isPassed ? ["\(name)=value"] : []))
    }

    @Test("A manifest asks for more variables by name, but never gets the token of another host")
    func asked() {
        let all = ["MY_VAR": "1", "YOURS": "2", "COPYSTAND_HOST_TOKEN": "t", "MY_TOKEN": "3"]
        let names = ["MY_VAR", "MY_TOKEN", "COPYSTAND_HOST_TOKEN", "NOT_SET"]
        #expect(
            BackendEnvironment.variables(asked: names, from: all) == ["MY_TOKEN=3", "MY_VAR=1"])
    }

    @Test("A running backend sees those variables and no others")
    func running() async throws {
        setenv("COPYSTAND_HOST_TOKEN", "secret", 1)
        setenv("COPYSTAND_TEST_ASKED", "asked", 1)
        setenv("COPYSTAND_TEST_OTHER", "other", 1)
        let bench = try Bench(
            script: """
                hello(); request = take()
                for name, value in sorted(os.environ.items()): print(name + "=" + value)
                sys.stdout.flush(); answer(request, devices=[]); take()
                """, more: #","environment":["COPYSTAND_TEST_ASKED"]"#)
        #expect(await bench.host.listDevices().problems == [])
        await bench.host.shutdown()
        let lines = bench.log.lines.map(\.text)
        #expect(lines.contains("COPYSTAND_TEST_ASKED=asked"))
        #expect(lines.contains { $0.hasPrefix("PATH=") })
        #expect(!lines.contains { $0.contains("secret") || $0.contains("other") }, "\(lines)")
    }

    @Test(
        "A manifest that requests an invalid variable, or the host's token, is broken",
        arguments: ["", "A=B", "A B", "COPYSTAND_HOST_TOKEN", "COPYSTAND_ARCHIVE_PASSWORD"])
    func refused(name: String) throws {
        let folder = try TemporaryFolder()
        try Bench.install("", id: "bad", in: folder, more: #","environment":["\#(name)"]"#)
        let report = Manifest.report(path: folder.file("bad.json"), programFolder: nil)
        #expect(report.problem?.contains("environment names '\(name)'") == true)
    }
}
