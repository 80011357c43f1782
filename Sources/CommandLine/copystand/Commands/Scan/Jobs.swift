import BlockingWork
import Delivery
import CommandLine
import Recognition
import FoundationEssentials
import HostClient
import JobOptions
import Listings
import ScanService

/// `copystand jobs`: lists interrupted jobs, and continues or deletes them.
enum JobsCommand {
    private static let id = Argument(
        "ID", help: "The job, as 'copystand jobs' names it.", completion: .dynamic("jobs"))

    static let command = Command(
        name: "jobs", summary: "List, resume or discard jobs that were interrupted",
        discussion: """
            A job stays here from its first page until every file it should write is complete. \
            What a crash, a power \
            cut, a full disk or a second Ctrl-C left behind can be delivered later, or discarded.

            Each job is listed with the possible actions, the safest first. 'resume' delivers all \
            pages; a stack that was not scanned to its end stays open. 'scan --append' scans the \
            rest into the same document. 'discard' comes last, with the number of pages it would \
            lose.

            A job whose scanning ended early (a paper jam, a device that failed, Ctrl-C) has \
            written its document with the pages so far, and keeps them. If not all files were \
            read, 'resume' reads them again from the first, and replaces that document. A job that \
            left a scanner's blank pages out of a file is kept too, so that 'resume --keep-blank' \
            can add them. So is a job whose stack was split, so that 'resume --split-page keep' \
            can add the separator sheets.

            With --json the result is an object with "jobs", each with "id", "state" (running, \
            interrupted, continuable or delivered), "pages" (safe in the spool), "bytes", \
            "isRunning", "folder" and, where it is known, "outputs", "profile", "delivered", \
            "reason", "next" (the sheet to continue with), "blankPages", "asidePages", \
            "undelivered" (pages that not every output has), "problem" (what is in the place of one \
            of its files, and keeps it from being used) and "advice": the possible actions, \
            the safest first, each with "action", "command" and "loses" (pages lost by it). With \
            --host there is no "folder".
            """,
        examples: [
            Example("List the interrupted jobs", "copystand jobs"),
            Example(
                "Deliver it somewhere else",
                "copystand jobs resume 20261121-101500-k3fw -o letter.pdf"),
            Example(
                "List those of another machine", "copystand jobs --host https://scans.local:8470"),
        ],
        options: [SharedOptions.json] + HostOptions.all(),
        subcommands: [resume, discard],
        handler: handler(list))

    private static let force = Option(
        flag: "force", help: "Also delete pages that are in no output, without asking.")

    private static let resume = Command(
        name: "resume", summary: "Deliver an interrupted job's pages",
        discussion:
            """
            Pages are taken from the spool; files that were not all read are read again, if they \
            still exist. A stack that was not scanned to its end stays open for 'scan --append'. A \
            job keeps no passwords, neither for its files nor for its PDF: give them again.
            """,
        examples: [
            Example("To its original destination", "copystand jobs resume 20261121-101500-k3fw")
        ],
        arguments: [id],
        options: [ScanOptions.output] + Option.of(.resume)
            + [ScanOptions.passwordFile, ScanOptions.password] + PDFArguments.passwords
            + [SharedOptions.json]
            + HostOptions.all(
                without: ["password-file", "password"]
                    + JobOptions.withoutHost(.resume).map(\.name)
                    + PDFArguments.passwords.map(\.name)),
        handler: handler { arguments, console in
            let outputs = arguments.texts(ScanOptions.output)
            if let host = try HostOptions.connection(arguments, console) {
                let path = "/api/v1/jobs/\(HostConnection.part(arguments.text(id) ?? ""))/resume"
                for output in outputs { try HostConnection.checkOutput(output) }
                return try await runHostJob(
                    on: host, outputs: outputs, isJSON: arguments.isGiven(SharedOptions.json),
                    console
                ) { try host.post(path) }
            }
            let job = try store.job(arguments.text(id) ?? "")
            let options = try GivenJobOptions(arguments).settings
            let protection = try PDFArguments.protection(arguments)
            let password = try ScanArguments.Password(arguments).read()
            if job.interruption?.code == Interruption.broken, job.isAtLeast {
                console.warn(
                    "The program was stopped before it had read all of its input. Only what it had read can be delivered."
                )
            }
            return try await withScanService(console, isJSON: arguments.isGiven(SharedOptions.json))
            {
                try await $0.resume(
                    job, outputs: outputs, options: options, protection: protection,
                    password: password,
                    control: $1, onEvent: $2)
            }
        })

    private static let discard = Command(
        name: "discard", summary: "Delete an interrupted job and its pages for good",
        discussion: """
            The command shows how many pages were never delivered, or exist nowhere else. \
            They are deleted only if you confirm it on the terminal, or with --force. Otherwise \
            the command fails with exit code 2, and nothing changes.
            """,
        examples: [Example("Delete it", "copystand jobs discard 20261121-101500-k3fw")],
        arguments: [id], options: [force] + HostOptions.all(),
        handler: handler { arguments, console in
            let name = arguments.text(id) ?? ""
            let isForced = arguments.isGiven(force)
            if let host = try HostOptions.connection(arguments, console) {
                let job = try await onOwnThread { try stored(host).first { $0.id == name } }
                guard
                    let isForced = try agreed(
                        job?.risk, isForced, job: name, there: " --host \(host.address.text)",
                        console: console)
                else {
                    return .done
                }
                try await onOwnThread {
                    let part = HostConnection.part(name)
                    try host.perform(
                        "DELETE", "/api/v1/jobs/\(part)" + (isForced ? "?force=true" : ""))
                }
                console.say("Discarded \(name) with \(counted(job?.pages ?? 0, "page")).")
                return .done
            }
            let job = try store.job(name)
            guard
                let isForced = try agreed(
                    job.risk, isForced, job: name, there: "", console: console)
            else {
                return .done
            }
            try job.discard(force: isForced)
            console.say("Discarded \(job.id) with \(counted(job.pages, "page")).")
            return .done
        })

    /// True if pages that exist nowhere else may be deleted; nil when the user was asked and
    /// decided to keep them.
    ///
    /// - Parameter there: the option for reaching the job's host.
    /// - Throws: ``JobError`` `undelivered` if no one can be asked.
    private static func agreed(
        _ risk: PagesAtRisk?, _ isForced: Bool, job: String, there: String, console: Console
    ) throws -> Bool? {
        guard let risk, risk.pages > 0, !isForced, let words = risk.words else { return isForced }
        let what = risk.pages == 1 ? "Discard it?" : "Discard them?"
        guard let answer = YesNoQuestion(console).ask("\(words) \(what)") else {
            throw JobError(
                .undelivered,
                "\(words) The job '\(job)' is kept. Deliver it with: copystand jobs resume \(job)\(there). To delete it anyway: copystand jobs discard --force \(job)\(there)"
            )
        }
        if !answer { console.say("The job is kept.") }
        return answer ? true : nil
    }

    /// The jobs of another host that wait there.
    private static func stored(_ host: HostConnection) throws -> [StoredJobJSON] {
        struct Answer: Decodable { var stored: [StoredJobJSON] }
        return try host.get("/api/v1/jobs", as: Answer.self).stored
    }

    static var store: JobStore {
        get throws { try .standard(environment: ProcessInfo.processInfo.environment) }
    }

    /// The jobs of this machine.
    private static func own() throws -> [StoredJob] {
        let store = try store
        try store.check()
        return store.jobs()
    }

    private struct JobsJSON: Encodable {
        var jobs: [StoredJobJSON]
    }

    private static func list(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let host = try HostOptions.connection(arguments, console)
        let jobs =
            if let host {
                try await onOwnThread { try stored(host) }
            } else {
                try Self.own().map(StoredJobJSON.init)
            }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(JobsJSON(jobs: jobs))
            return .done
        }
        if jobs.isEmpty {
            console.say("No job is waiting: every captured page has been delivered.")
            return .done
        }
        var table = Table([
            .init("JOB", minimumWidth: 20), .init("STATE", minimumWidth: 20),
            .init("PAGES", isAlignedRight: true, minimumWidth: 5),
            .init("SIZE", isAlignedRight: true), .init("FOR", minimumWidth: 10),
        ])
        for job in jobs {
            table.add([
                job.id, words(job), "\(job.pages)",
                "\(job.bytes / 1_000_000 + (job.bytes % 1_000_000 < 500_000 ? 0 : 1)) MB",
                job.outputs?.joined(separator: ", ") ?? "its order can't be read",
            ])
        }
        try console.result(table.text(for: console.output))
        let lines = JobAdviceLines(console, host)
        for job in jobs { lines.write(job) }
        return .done
    }

    private static func words(_ job: StoredJobJSON) -> String {
        switch job.state {
        case .running: return "running"
        case .delivered:
            let left = [
                job.blankPages.map { counted($0, "blank page") },
                job.asidePages.map { counted($0, "separator sheet") },
            ]
            return "delivered without " + left.compactMap { $0 }.joined(separator: " and ")
        case .interrupted:
            switch job.lost?.first(where: \.others.isEmpty)?.loss {
            case .gone: return "its document is gone"
            case .changed: return "its document was changed"
            case .trashed: return "its document is in the trash"
            case .unreadable: return "its document can't be checked"
            case nil: break
            }
            return job.reason == nil || !job.isReread ? "interrupted" : "not all files were read"
        case .continuable:
            return "to be continued" + (job.next.map { ", next: sheet \($0.sheet)" } ?? "")
        }
    }
}
