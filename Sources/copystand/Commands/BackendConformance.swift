import CaptureHost
import CommandLine
import Conformance
import Glibc

/// `copystand backend check`: tells whether a backend keeps the capture protocol.
enum BackendConformance {
    private static let backend = Argument(
        "BACKEND", .one, .name,
        help: "A backend's program, the folder of its backend.json, or the id of an installed one.",
        completion: .files)
    private static let device = Option(
        "device", short: "d", value: "ID", .name,
        help:
            "The device to try, by its id within the backend; the first that is ready unless given."
    )
    private static let only = Option(
        "only", value: "CHECK", .choice(ConformanceCheck.all.map(\.id)),
        help: "Make this check alone; may be given several times.", isRepeated: true)

    static let command = Command(
        name: "check", summary: "Check whether a backend keeps the capture protocol",
        discussion: """
            Each check talks to a fresh process of the backend. One that fails tells what was expected, what came, and the \
            section of Docs/CaptureProtocol.md with the rule. The exit code is 0 when nothing that a backend must do failed, \
            else 4.

            With --json the result is an object with "program" and "checks", each with "id", "title", "severity" (must or \
            should), "section", "outcome" (passed, failed or notApplicable) and, where it has them, "expected", "came" and \
            "reason".
            """,
        examples: [
            Example("Check a backend that is not installed", "copystand backend check ./mycam"),
            Example("Make one check again", "copystand backend check ./mycam --only hello.version"),
        ],
        arguments: [backend], options: [device, only, SharedOptions.json],
        handler: handler(run))

    /// What `backend check --json` prints.
    private struct CheckJSON: Encodable {
        var program: String
        var checks: [Row]
    }

    private struct Row: Encodable {
        var id: String
        var title: String
        var severity: String
        var section: String
        var outcome: String
        var expected: String?
        var came: String?
        var reason: String?

        init(_ check: ConformanceCheck, _ result: CheckOutcome) {
            id = check.id
            title = check.title
            severity = check.severity.rawValue
            section = check.section
            switch result {
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
    }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let program = try await program(arguments, console)
        let wanted = Set(arguments.texts(only))
        let checks = ConformanceCheck.all.filter { wanted.isEmpty || wanted.contains($0.id) }
        let run = ConformanceRun(
            program: program, device: arguments.text(device))
        var rows: [Row] = []
        for check in checks {
            let row = Row(check, await run.outcome(of: check))
            rows.append(row)
            guard !arguments.isGiven(SharedOptions.json) else { continue }
            try console.result("\(mark(row))  \(row.id): \(row.title)\n")
            if let expected = row.expected, let came = row.came {
                let section = "Docs/CaptureProtocol.md, \(row.section)"
                try console.result(
                    "      expected \(expected)\n      came     \(came)\n      see      \(section)\n"
                )
            }
            if let reason = row.reason { try console.result("      \(reason)\n") }
        }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(CheckJSON(program: program, checks: rows))
        } else {
            let count = { outcome in rows.count { $0.outcome == outcome } }
            console.say(
                "\(count("passed")) passed, \(count("failed")) failed, \(count("notApplicable")) not applicable."
            )
        }
        let isBroken = rows.contains { $0.outcome == "failed" && $0.severity == "must" }
        return isBroken ? .deviceFailed : .done
    }

    private static func mark(_ row: Row) -> String {
        switch row.outcome {
        case "passed": "ok  "
        case "failed": row.severity == "must" ? "FAIL" : "weak"
        default: "n/a "
        }
    }

    /// The path of the program that is meant.
    private static func program(_ arguments: ParsedArguments, _ console: Console) async throws
        -> String
    {
        let name = arguments.text(backend) ?? ""
        let path = absolutePath(name)
        var information = stat()
        var configuration = HostConfiguration.standard()
        if stat(path, &information) == 0 {
            if information.st_mode & S_IFMT == S_IFREG { return path }
            configuration.backendFolders = [path]
        }
        let isFolder = configuration.backendFolders == [path]
        let reports = await CaptureHost(configuration).backends()
        guard let report = reports.first(where: { isFolder || $0.id == name }) else {
            throw UsageError(
                .refused("is no program, no folder with a backend.json, and no installed backend"),
                argument: name, path: arguments.path)
        }
        guard let program = report.program, report.problem == nil else {
            throw UsageError(
                .refused("can't be checked: \(report.problem ?? "it has no program")"),
                argument: name, path: arguments.path)
        }
        return program
    }
}
