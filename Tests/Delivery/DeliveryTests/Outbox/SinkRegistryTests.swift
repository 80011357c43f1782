import Documents
import FoundationEssentials
import Glibc
import Imaging
import Testing

@testable import Delivery

@Suite struct SinkRegistryTests {
    @Test("The file is only for its owner, and a file that others may read is refused")
    func privacy() throws {
        let bench = try OutboxBench()
        let registry = try bench.registry([
            "hook": bench.definition(.webhook) { $0.url = "https://host/x" }
        ]
        )
        var status = stat()
        #expect(stat(registry.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        chmod(registry.path, 0o644)
        let error = failure { _ = try SinkRegistry(path: registry.path) }
        #expect(error?.code == .permissionDenied && error?.message.contains("chmod 600") == true)
    }

    @Test("The error for a name that is nearly 'archive' says so")
    func nearArchive() throws {
        let bench = try OutboxBench()
        let registry = try bench.registry([:])
        let error = failure {
            _ = try NamedSink("archvie", in: registry, outbox: bench.outbox(registry))
        }
        #expect(error?.message.contains("Did you mean 'archive'?") == true)
    }

    @Test("An added sink is listed afterward; an invalid one is refused and changes nothing")
    func adding() throws {
        let bench = try OutboxBench()
        var registry = try bench.registry([
            "hook": bench.definition(.webhook) { $0.url = "https://host/x" }
        ]
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
            #expect(failure { try registry.add(name, definition) } != nil, "\(name)")
        }
        #expect(try SinkRegistry(path: registry.path).sinks.keys.sorted() == ["hook"])
        #expect(failure { _ = try registry.sink("hok") }?.message.contains("'hook'") == true)
    }

    @Test(
        "A damaged file is reported, not replaced",
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
