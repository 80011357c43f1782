import CaptureHost
import CaptureKit
import CommandLine

/// `copystand backends`: lists the programs that talk to devices.
enum BackendsCommand {
    static let command = Command(
        name: "backends", summary: "List the backends, the programs that talk to devices",
        discussion: """
            None of them is started for this. A backend that can't be used is listed with the \
            reason.

            With --json the result is an object with "backends", each with "id", "name" and, where \
            known, "version", \
            "protocol", "serves", "program", "manifest", and "problem" where it can't be used.
            """,
        examples: [Example("List all backends", "copystand backends")],
        options: [SharedOptions.json],
        handler: handler(run))

    /// The output of `backends --json`.
    private struct BackendsJSON: Encodable {
        var backends: [Backend]
    }

    /// A backend in JSON, with keys that stay when the host's type changes.
    private struct Backend: Encodable {
        var id: String
        var name: String
        var version: String?
        var `protocol`: Int?
        var serves: String?
        var program: String?
        var manifest: String?
        var problem: String?

        init(_ report: BackendReport) {
            id = report.id
            name = report.name
            version = report.version
            `protocol` = report.protocol
            serves = report.serves
            program = report.program
            manifest = report.manifest
            problem = report.problem
        }
    }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let reports = try await withCaptureHost(console) { await $0.backends() }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(BackendsJSON(backends: reports.map(Backend.init)))
            return .done
        }
        if reports.isEmpty {
            console.say(
                "No backend is installed. Reinstall Copystand, or name their folder in COPYSTAND_BACKENDS."
            )
            return .done
        }
        var table = Table([
            .init("BACKEND"), .init("VERSION"), .init("SERVES", minimumWidth: 16), .init("STATE"),
            .init("FROM", minimumWidth: 20),
        ])
        for report in reports {
            table.add([
                report.id, report.version ?? "", report.serves ?? report.name,
                report.problem == nil ? "ready" : "can't be used", report.manifest ?? "",
            ])
        }
        try console.result(table.text(for: console.output))
        for report in reports {
            if let problem = report.problem { console.warn("\(report.id): \(problem)") }
        }
        return .done
    }
}
