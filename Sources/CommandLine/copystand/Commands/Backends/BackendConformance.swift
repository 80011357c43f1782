import CaptureHost
import CommandLine
import Conformance
import Glibc
import Processes
import ScanService

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
    private static let allowEmpty = Option(
        flag: "allow-empty",
        help:
            "Don't fail because no page could be captured, as without the hardware or with an empty feeder."
    )
    private static let junit = Option(
        "junit", value: "FILE", .path,
        help: "Write the results as JUnit's XML as well, which build servers read.",
        completion: .files)
    private static let watch = Option(
        flag: "watch",
        help:
            "Check again whenever something in the backend's folder changes, after running its program 'build' if it has one, until Ctrl-C.",
        excludes: ["json", "junit"])
    private static let list = Option(
        flag: "list", help: "List the checks without running them.")

    static let command = Command(
        name: "check", summary: "Check whether a backend follows the capture protocol",
        discussion: """
            \(ConformanceCheck.all.count) checks talk to the backend's program as a host does, and \
            as a host never should. A failed check shows what was expected, what was received, \
            and the section of Docs/developers/CaptureProtocol.md with the rule. A failed check of \
            something that a backend should do, but need not, is only reported. A check \
            that can't be run, such as one of live frames with a scanner, is skipped with the \
            reason.

            Without --real the checks strain the device: 200 pages, every mode, every option, a \
            feeder until it is empty.

            Each check prints a line as soon as it ends. Ctrl-C ends with a summary of the checks \
            that were run.

            The exit code is 0 if the backend does all that it must and a page could be captured, \
            and otherwise 4. Without hardware, add --allow-empty, since no page can be captured. \
            With --json the result is an object with \
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
            Example(
                "On a build server, which has no camera",
                "copystand backend check ./mycam --allow-empty --junit checks.xml"),
            Example("While you write it", "copystand backend check ./mycam --watch"),
        ],
        arguments: [backend],
        options: [
            device, set, real, allowEmpty, only, junit, watch, list, SharedOptions.json,
        ],
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
        guard arguments.isGiven(watch) else {
            let run = try await prepared(arguments, console)
            return try await check(run, checks, asked: arguments, console).code
        }
        try await follow(checks, asked: arguments, console)
    }

    /// The checks to run, and their settings.
    ///
    /// - Throws: an error when the program, the device or an option that the user named can't be
    ///   used.
    private static func prepared(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ConformanceRun {
        let (program, confinement) = try await program(arguments, console)
        var run = ConformanceRun(program: program, device: arguments.text(device))
        run.confinement = confinement
        run.isReal = arguments.isGiven(real)
        run.settings = arguments.pairs(set).map { ($0.name, $0.value) }
        if let mistake = await run.mistake() { throw mistake }
        return run
    }

    /// Runs the checks again whenever something in the backend's folder changes, after its build if
    /// it has one, until the task is canceled.
    private static func follow(
        _ checks: [ConformanceCheck], asked arguments: ParsedArguments, _ console: Console
    ) async throws -> Never {
        var folder = absolutePath(arguments.text(backend) ?? "")
        let isFolder = access(folder + "/backend.json", R_OK) == 0
        if !isFolder {
            let program = try await program(arguments, console).path
            folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        }
        var sources = BackendSources(folder)
        let changes = FolderChanges()
        let clock: any Clock<Duration> = ContinuousClock()
        while true {
            guard changes.watch(sources.folders) else {
                throw HostError(
                    .brokenBackend, "the folder '\(folder)' can't be watched",
                    advice: "Leave out --watch")
            }
            do {
                if isFolder { try await BackendBuild.run(in: folder, console) }
                // The files written by the build are known by now.
                _ = sources.changes()
                let run = try await prepared(arguments, console)
                if sources.program != run.program {
                    sources.program = run.program
                    _ = changes.watch(sources.folders)
                    _ = sources.changes()
                }
                _ = try await check(run, checks, asked: arguments, console)
            } catch  where !(error is CancellationError) {
                // The next change may correct it.
                console.warn(error)
            }
            console.say("Waiting for a change in '\(folder)'. Ctrl-C ends.")
            repeat {
                await changes.wait(atMost: 86_400)
                // An editor writes several files, and a build writes for a while.
                try await clock.sleep(for: .milliseconds(300))
            } while sources.changes().isEmpty
        }
    }

    /// Runs the checks, shows each result, and sums up.
    private static func check(
        _ run: ConformanceRun, _ checks: [ConformanceCheck], asked arguments: ParsedArguments,
        _ console: Console
    ) async throws -> ConformanceReport.Verdict {
        let isJSON = arguments.isGiven(SharedOptions.json)
        let results = try await results(run, checks, isJSON: isJSON, console)
        let report = ConformanceReport(program: run.program, results: results)
        if isJSON { try console.json(report) }
        if let path = arguments.text(junit) { try report.writeJUnit(to: path) }
        let verdict = report.verdict(allowsEmpty: arguments.isGiven(allowEmpty))
        for line in report.summary(verdict, of: checks.count) { console.say(line) }
        try Task.checkCancellation()
        return verdict
    }

    /// Runs the checks.
    ///
    /// Each result gets a line immediately, and a terminal also shows the current check.
    private static func results(
        _ run: ConformanceRun, _ checks: [ConformanceCheck], isJSON: Bool, _ console: Console
    ) async throws -> [CheckResult] {
        let line = LiveLine(terminal: console.error) { _ = OutputStream.standardError.write($0) }
        var results: [CheckResult] = []
        func show() {
            guard results.count < checks.count, !console.isQuiet else { return }
            var shown = FittedLine()
            let fraction = Double(results.count) / Double(checks.count)
            shown.add(ProgressLine.bar(fraction), need: 0)
            shown.add("\(results.count + 1) of \(checks.count)", need: 2)
            shown.add(checks[results.count].title, need: 1)
            line.show(shown, isUrgent: true)
        }
        show()
        for await result in run.results(of: checks) {
            results.append(result)
            line.finish()
            if !isJSON {
                try console.result(ConformanceReport.Row(result).text(for: console.output))
            }
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
