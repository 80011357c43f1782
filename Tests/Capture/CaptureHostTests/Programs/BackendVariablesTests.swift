import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import CaptureHost

/// Tests which of the host's environment variables a backend gets.
@Suite struct BackendVariablesTests {
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
