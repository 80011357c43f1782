import Testing

@testable import Processes

/// Tests which of the host's environment variables a process gets.
@Suite struct ProcessEnvironmentTests {
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
        let passed = ProcessEnvironment.variables(asked: [], from: [name: "value"])
        #expect(passed == (isPassed ? ["\(name)=value"] : []))
    }

    @Test("A manifest asks for more variables by name, but never gets the token of another host")
    func asked() {
        let all = ["MY_VAR": "1", "YOURS": "2", "COPYSTAND_HOST_TOKEN": "t", "MY_TOKEN": "3"]
        let names = ["MY_VAR", "MY_TOKEN", "COPYSTAND_HOST_TOKEN", "NOT_SET"]
        #expect(
            ProcessEnvironment.variables(asked: names, from: all) == ["MY_TOKEN=3", "MY_VAR=1"])
    }
}
