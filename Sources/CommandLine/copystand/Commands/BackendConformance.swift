import CaptureHost
import CommandLine
import Conformance
import Glibc

/// `copystand backend check`: checks whether a backend follows the capture protocol.
enum BackendConformance {
    private static let backend = Argument(
        "BACKEND", .optional, .path,
        help: "A backend's program, the folder of its backend.json, or the id of an installed one.",
        completion: .files)
    private static let device = Option(
        "device", short: "d", value: "ID", .name,
        help:
            "The device to try, by its id within the backend; the first that is ready unless given."
    )
    private static let real = Option(
        flag: "real",
        help:
            "The device is a real one: leave out what wears it out, empties its feeder, presses its buttons or leaves it in the middle of a page, and capture few pages."
    )
    private static let only = Option(
        "check", short: "c", value: "CHECK", .choice(ConformanceCheck.all.map(\.id)),
        help: "Run only this check; may be given several times.", isRepeated: true)
    private static let set = Option(
        "set", short: "s", value: "OPTION=VALUE", .pair,
        help:
            "Set an option whenever the device is opened, such as its source; may be given several times.",
        isRepeated: true)
    private static let list = Option(
        flag: "list", help: "List the checks without running them.")

    static let command = Command(
        name: "check", summary: "Check whether a backend follows the capture protocol",
        discussion: """
            \(ConformanceCheck.all.count) checks talk to the backend's program as a host does, and \
            as a host never should. A failed check shows what was expected, what came, and the \
            section of Docs/developers/CaptureProtocol.md with the rule. What a backend should do, \
            but need not, is reported and does no harm. A check that can't be run, such as one of \
            live frames with a scanner, is skipped with the reason.

            Without --real the checks strain the device: 200 pages, every mode, every option, a \
            feeder until it is empty.

            The exit code is 0 only when nothing that a backend must do failed and something \
            passed, else 4. With --json the result is an object with \
            "program" and "checks", each with "id", "title", "severity" (must or should), \
            "section", "outcome" (passed, failed or \
            notApplicable), "seconds" and, where it has them, "expected", "came" and "reason".
            """,
        examples: [
            Example("Check a backend that is not installed", "copystand backend check ./mycam"),
            Example(
                "Check an installed one with a scanner that is on the desk",
                "copystand backend check sane --device test:0 --real"),
            Example("Check its feeder", "copystand backend check ./mycam --set source=feeder"),
            Example("Run one check again", "copystand backend check ./mycam -c hello.version"),
        ],
        arguments: [backend], options: [device, set, real, only, list, SharedOptions.json],
        handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let wanted = Set(arguments.texts(only))
        let checks = ConformanceCheck.all.filter { wanted.isEmpty || wanted.contains($0.id) }
        let isJSON = arguments.isGiven(SharedOptions.json)
        guard !arguments.isGiven(list) else {
            try isJSON
                ? console.json(ConformanceReport.listed(checks))
                : console.result(ConformanceReport.table(of: checks, for: console.output))
            return .done
        }
        guard arguments.text(backend) != nil else {
            throw UsageError(
                .refused("is missing, or --list"), argument: "BACKEND", path: arguments.path)
        }
        let (program, confinement) = try await program(arguments, console)
        var run = ConformanceRun(program: program, device: arguments.text(device))
        run.confinement = confinement
        run.isReal = arguments.isGiven(real)
        run.settings = arguments.pairs(set).map { ($0.name, $0.value) }
        if let mistake = await run.mistake() { throw mistake }
        let results = await results(run, checks, console)
        let report = ConformanceReport(program: program, results: results)
        try isJSON
            ? console.json(report) : console.result(report.text(for: console.output))
        if !isJSON { console.say(report.summary) }
        try Task.checkCancellation()
        return report.holds ? .done : .deviceFailed
    }

    /// Makes the checks, and shows on a terminal which is being made.
    private static func results(
        _ run: ConformanceRun, _ checks: [ConformanceCheck], _ console: Console
    ) async -> [CheckResult] {
        let line = LiveLine(terminal: console.error) { _ = OutputStream.standardError.write($0) }
        var results: [CheckResult] = []
        func show() {
            guard results.count < checks.count, !console.isQuiet else { return }
            line.show(
                FittedLine(
                    "\(results.count + 1) of \(checks.count)  \(checks[results.count].title)"),
                isUrgent: true)
        }
        show()
        for await result in run.results(of: checks) {
            results.append(result)
            show()
        }
        line.finish()
        return results
    }

    /// The path of the named program.
    private static func program(_ arguments: ParsedArguments, _ console: Console) async throws
        -> (path: String, confinement: Confinement)
    {
        let name = arguments.text(backend) ?? ""
        let path = absolutePath(name)
        var information = stat()
        var configuration = HostConfiguration.standard()
        if stat(path, &information) == 0 {
            if information.st_mode & S_IFMT == S_IFREG { return (path, Confinement()) }
            configuration.backendFolders = [path]
        }
        let isFolder = configuration.backendFolders == [path]
        let reports = await CaptureHost(configuration).backends()
        guard let report = reports.first(where: { isFolder || $0.id == name }) else {
            throw UsageError(
                .refused("is not a program, a folder with a backend.json, or an installed backend"),
                argument: name, path: arguments.path)
        }
        guard let program = report.program, report.problem == nil else {
            throw HostError(
                .brokenBackend,
                "the backend '\(name)' can't be checked: \(report.problem ?? "it has no program")",
                backend: report.id)
        }
        return (program, report.confinement)
    }
}
