import CommandLine
import Conformance

/// What came of checking a backend, for people and as JSON.
struct ConformanceReport: Encodable {
    var program: String?
    var checks: [Row]

    /// A check and, once it was run, its result.
    struct Row: Encodable {
        var id: String
        var title: String
        var severity: String
        var section: String
        var outcome: String?
        var seconds: Double?
        var expected: String?
        var came: String?
        var reason: String?

        init(_ check: ConformanceCheck) {
            id = check.id
            title = check.title
            severity = check.severity.rawValue
            section = check.section
        }

        init(_ result: CheckResult) {
            self.init(result.check)
            seconds = (result.duration / .milliseconds(1)).rounded() / 1000
            switch result.outcome {
            case .passed: outcome = "passed"
            case .failed(let expected, let came):
                outcome = "failed"
                self.expected = expected
                self.came = came
            case .notApplicable(let reason):
                outcome = "notApplicable"
                self.reason = reason
            }
        }

        /// The outcome in a word.
        var mark: String {
            switch outcome {
            case "passed": "ok"
            case "failed": severity == "must" ? "FAILED" : "weak"
            default: "-"
            }
        }
    }

    /// A report of what was found.
    init(program: String, results: [CheckResult]) {
        self.program = program
        checks = results.map { Row($0) }
    }

    private init(checks: [Row]) { self.checks = checks }

    /// All checks.
    static func listed(_ checks: [ConformanceCheck]) -> ConformanceReport {
        ConformanceReport(checks: checks.map { Row($0) })
    }

    /// All checks, as a table.
    static func table(of checks: [ConformanceCheck], for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("CHECK", minimumWidth: 22), Table.Column("SEVERITY"),
            Table.Column("WHAT A BACKEND DOES"),
        ])
        for check in checks { table.add([check.id, check.severity.rawValue, check.title]) }
        return table.text(for: terminal)
    }

    /// Whether the backend does everything that it must, as far as that could be checked; false if
    /// nothing could.
    var holds: Bool {
        checks.contains { $0.outcome == "passed" }
            && !checks.contains { $0.outcome == "failed" && $0.severity == "must" }
    }

    /// How many checks came out how.
    var summary: String {
        func count(_ outcome: String) -> Int { checks.count { $0.outcome == outcome } }
        return
            "\(count("passed")) passed, \(count("failed")) failed, \(count("notApplicable")) not checked."
    }

    /// A table of all checks, and below it the reasons of those that failed.
    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("CHECK", minimumWidth: 22), Table.Column("SEVERITY"),
            Table.Column("RESULT"), Table.Column("WHAT A BACKEND DOES, OR WHY IT WAS NOT CHECKED"),
        ])
        for row in checks {
            table.add([row.id, row.severity, row.mark, row.reason ?? row.title])
        }
        return table.text(for: terminal) + checks.map { reason($0, terminal) }.joined()
    }

    private func reason(_ row: Row, _ terminal: Terminal) -> String {
        guard let expected = row.expected, let came = row.came else { return "" }
        let style: Terminal.Style = row.severity == "must" ? .red : .yellow
        return """

            \(terminal.styled("\(row.id): \(row.title)", style))
              expected  \(Sanitized.line(expected))
              came      \(Sanitized.line(came))
              see       Docs/developers/CaptureProtocol.md, \(row.section)

            """
    }
}
