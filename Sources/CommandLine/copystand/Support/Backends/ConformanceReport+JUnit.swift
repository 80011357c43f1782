import CommandLine
import Delivery
import FoundationEssentials

extension ConformanceReport {
    /// Writes the results as build servers read them (JUnit's XML): a test case for each check.
    ///
    /// A failed `should` check counts as a skipped test.
    ///
    /// - Throws: ``UsageError`` when the file can't be written.
    func writeJUnit(to path: String) throws {
        let cases = checks.map(\.junit).joined()
        let failures = checks.count { $0.isJUnitFailure }
        let skipped = checks.count { $0.outcome != "passed" && !$0.isJUnitFailure }
        let head =
            "name=\"copystand backend check\" tests=\"\(checks.count)\" failures=\"\(failures)\" skipped=\"\(skipped)\""
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite \(head)>
            \(cases)</testsuite>

            """
        do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
            throw UsageError(
                .refused("can't be written: name a file in a folder that exists"),
                argument: path, path: ["copystand", "backend", "check"])
        }
    }
}

extension ConformanceReport.Row {
    fileprivate var isJUnitFailure: Bool { outcome == "failed" && severity == "must" }

    /// The check as a test case.
    fileprivate var junit: String {
        let group = String(id.prefix { $0 != "." })
        let head =
            "  <testcase classname=\"\(xmlEscaped(group))\" name=\"\(xmlEscaped("\(id): \(title)"))\" time=\"\(seconds ?? 0)\""
        let words = xmlEscaped(
            reason ?? "expected \(expected ?? ""), came \(came ?? "") (\(section))")
        if outcome == "passed" { return head + "/>\n" }
        let tag = isJUnitFailure ? "failure" : "skipped"
        return head + "><\(tag) message=\"\(words)\"/></testcase>\n"
    }
}
