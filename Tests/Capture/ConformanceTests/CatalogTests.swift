import Conformance
import FoundationEssentials
import Testing

/// Tests the list of checks and its documentation.
@Suite struct CatalogTests {
    @Test(
        "Every check has a unique name, a sentence, and an existing section of the protocol")
    func catalog() throws {
        let sections = Set(
            try Self.document("CaptureProtocol").split(separator: "\n").filter { $0.hasPrefix("#") }
                .map { $0.drop { $0 == "#" || $0 == " " } }.map(String.init))
        #expect(Set(ConformanceCheck.all.map(\.id)).count == ConformanceCheck.all.count)
        #expect(ConformanceCheck.all.count >= 50)
        for check in ConformanceCheck.all {
            #expect(sections.contains(check.section), "\(check.id) refers to '\(check.section)'")
            #expect(!check.title.isEmpty && !check.title.hasSuffix("."))
        }
    }

    @Test("The page about the checks lists all of them and no others, in order")
    func page() throws {
        let rows = try Self.document("BackendChecks").split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        #expect(rows.map(String.init) == ConformanceCheck.all.map(Self.row))
    }

    /// A check's row in Docs/developers/BackendChecks.md.
    private static func row(_ check: ConformanceCheck) -> String {
        let anchor = check.section.lowercased().replacing(" ", with: "-")
        let link = "[\(check.section)](CaptureProtocol.md#\(anchor))"
        let harsh = check.isHarsh ? "no" : "yes"
        return
            "| `\(check.id)` | \(check.severity.rawValue) | \(harsh) | \(check.title) | \(link) |"
    }

    private static func document(_ name: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().path
        return try String(
            contentsOf: URL(filePath: "\(tests)/../../../Docs/developers/\(name).md"),
            encoding: .utf8)
    }
}
