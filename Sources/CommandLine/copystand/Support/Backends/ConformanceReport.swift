import CommandLine
import Conformance

/// The result of checking a backend, for people and as JSON.
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

        /// The outcome in one word.
        var mark: String {
            switch outcome {
            case "passed": "ok"
            case "failed": severity == "must" ? "FAILED" : "weak"
            default: "-"
            }
        }
    }

    /// A report of the results.
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

    /// The result of all checks together.
    enum Verdict {
        /// The backend does everything that it must, and a page was captured.
        case holds
        /// The backend breaks a `must` rule.
        case breaks
        /// No page was captured, for a reason.
        case empty(String)
        /// The check was not possible.
        case unknown

        /// The exit code of the command.
        var code: ExitCode { if case .holds = self { .done } else { .deviceFailed } }
    }

    /// The result of all checks together.
    ///
    /// - Parameter allowsEmpty: whether a capture without pages is acceptable.
    func verdict(allowsEmpty: Bool) -> Verdict {
        if checks.contains(where: { $0.outcome == "failed" && $0.severity == "must" }) {
            return .breaks
        }
        guard checks.contains(where: { $0.outcome == "passed" }) else { return .unknown }
        let captures = checks.filter { $0.id.hasPrefix("capture.") }
        guard !allowsEmpty, !captures.isEmpty,
            !captures.contains(where: { $0.outcome == "passed" })
        else { return .holds }
        return .empty(captures.lazy.compactMap(\.reason).first ?? "the captures failed")
    }

    /// The number of checks with each outcome among `planned`, and the conclusion.
    func summary(_ verdict: Verdict, of planned: Int) -> [String] {
        func count(_ outcome: String) -> Int { checks.count { $0.outcome == outcome } }
        let counts =
            "\(count("passed")) passed, \(count("failed")) failed, \(count("notApplicable")) not checked."
        var lines = [
            checks.count < planned
                ? "Stopped after \(checks.count) of \(planned): \(counts)" : counts
        ]
        let failed = checks.filter { $0.outcome == "failed" }.map(\.id)
        if !failed.isEmpty { lines.append("Failed: \(failed.joined(separator: ", ")).") }
        if case .empty(let reason) = verdict {
            lines.append(
                "No page could be captured: \(reason). Use --allow-empty if that is expected.")
        }
        return lines
    }
}

extension ConformanceReport.Row {
    /// The line for a check, and below it the reason for a failure.
    func text(for terminal: Terminal) -> String {
        let style: Terminal.Style = severity == "must" ? .red : .yellow
        let word = mark.padded(toWidth: 6)
        let time = hundredths(seconds ?? 0).padded(toWidth: 7, alignedRight: true)
        let line =
            "\(outcome == "failed" ? terminal.styled(word, style) : word) \(time) s  \(id.padded(toWidth: 24)) \(Sanitized.line(reason ?? title))\n"
        guard let expected, let came else { return line }
        return line + """
                expected  \(Sanitized.line(expected))
                came      \(Sanitized.line(came))
                see       Docs/developers/CaptureProtocol.md, \(section)

            """
    }
}
