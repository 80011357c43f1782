import CaptureHost
import CaptureKit
import CommandLine
import FoundationEssentials
import Glibc
import Readers
import Recognition

/// `copystand doctor`: checks the machine and suggests commands.
enum DoctorCommand {
    static let command = Command(
        name: "doctor", summary: "Check this machine, and show how to fix what is wrong",
        discussion: """
            Checks shared libraries, the languages of text recognition, backends and their \
            confinement, permissions of cameras and scanners, disk space, the settings folder and \
            the authority for HTTPS. \
            Nothing is changed. The exit code is 0 when everything needed is there, and 1 when \
            something needs fixing.

            With --json the result is an object with "ok" and "findings", each with "check", \
            "state" ("ok", "warning" \
            or "failure"), "message" and, where something needs fixing, "remedy".
            """,
        examples: [Example("Check this machine", "copystand doctor")],
        options: [SharedOptions.json],
        handler: handler(run))

    /// The output of `doctor --json`.
    private struct DoctorJSON: Encodable {
        var ok: Bool
        var findings: [DoctorFinding]
    }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let findings = try await findings(console)
        try Task.checkCancellation()
        let isSound = !findings.contains { $0.state == .failure }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(DoctorJSON(ok: isSound, findings: findings))
        } else {
            for finding in findings { try console.result(text(finding, console.output)) }
            console.say(
                isSound ? "Everything needed is there." : "Some problems need fixing; see above.")
        }
        return isSound ? .done : .internalError
    }

    private static func findings(_ console: Console) async throws -> [DoctorFinding] {
        let environment = ProcessInfo.processInfo.environment
        let (reports, listing) = try await withCaptureHost(console) { host in
            await (host.backends(), host.listDevices(quick: true))
        }
        let libraries = LibraryCheck(program: "/proc/self/exe", backends: reports)
        return await libraries.findings()
            + LanguageCheck(
                languages: installedLanguages(),
                hasOrientation: LanguageCheck.findsOrientation(environment: environment)
            ).findings
            + ReaderFindings(reports: Readers(environment: environment).installed()).findings
            + BackendCheck(reports: reports, listing: listing).findings
            + ConfinementCheck(reports: reports).findings
            + PermissionCheck(user: environment["USER"] ?? "$USER").findings
            + DiskCheck(environment: environment).findings
            + AuthorityCheck(environment: environment).findings
    }

    private static func text(_ finding: DoctorFinding, _ terminal: Terminal) -> String {
        let mark =
            switch finding.state {
            case .ok: terminal.styled("ok     ", .green)
            case .warning: terminal.styled("warning", .yellow)
            case .failure: terminal.styled("failure", .red)
            }
        let line = "\(mark)  \(finding.check): \(Sanitized.line(finding.message))\n"
        return line + (finding.remedy.map { "         → \(Sanitized.line($0))\n" } ?? "")
    }
}
