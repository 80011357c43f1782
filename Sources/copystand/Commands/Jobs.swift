import CommandLine
import FoundationEssentials
import ScanService

/// `copystand jobs`: what was interrupted, and how to go on with it.
enum JobsCommand {
    private static let id = Argument(
        "ID", help: "The job, as 'copystand jobs' names it.", completion: .dynamic("jobs"))

    static let command = Command(
        name: "jobs", summary: "List, resume or discard jobs that were interrupted",
        discussion: """
            A job stays here from its first page until every file it should write is complete. What a crash, a power \
            cut, a full disk or a second Ctrl-C left behind can be delivered later, or discarded.

            A job whose scanning ended early (a paper jam, a device that failed, Ctrl-C) has written its document with \
            the pages so far, and keeps them: 'scan --append' scans the rest into the same document, 'discard' frees \
            the space. Files that were not all read are read again from the first by 'resume', in place of that document. A job that left blank pages of a scanner out of a file stays as well, so that \
            'resume --keep-blank' can put them in.

            With --json the result is an object with "jobs", each with "id", "state" (running, interrupted, \
            continuable or delivered), "pages" (safe in the spool), "bytes", "isRunning", "folder" and, where it is known, \
            "outputs", "profile", "delivered", "reason" and "next" (the sheet to go on with).
            """,
        examples: [
            Example("What is waiting?", "copystand jobs"),
            Example(
                "Deliver it to another place",
                "copystand jobs resume 20261121-101500-k3fw -o letter.pdf"),
        ],
        options: [SharedOptions.json],
        subcommands: [resume, discard],
        handler: handler(list))

    private static let resume = Command(
        name: "resume", summary: "Deliver an interrupted job's pages",
        discussion:
            "Pages that came from files are read again; pages of a device are taken from the spool.",
        examples: [
            Example("Where it should have gone", "copystand jobs resume 20261121-101500-k3fw")
        ],
        arguments: [id], options: [ScanOptions.output, ScanOptions.keepBlank, SharedOptions.json],
        handler: handler { arguments, console in
            let job = try store.job(arguments.text(id) ?? "")
            let outputs = arguments.texts(ScanOptions.output)
            let keepsBlankPages = arguments.isGiven(ScanOptions.keepBlank)
            return try await withScanService(console, isJSON: arguments.isGiven(SharedOptions.json))
            {
                try await $0.resume(
                    job, outputs: outputs, keepsBlankPages: keepsBlankPages, control: $1,
                    onEvent: $2)
            }
        })

    private static let discard = Command(
        name: "discard", summary: "Delete an interrupted job and its pages for good",
        examples: [Example("Away with it", "copystand jobs discard 20261121-101500-k3fw")],
        arguments: [id],
        handler: handler { arguments, console in
            let job = try store.job(arguments.text(id) ?? "")
            try job.discard()
            console.say("Discarded \(job.id) with \(counted(job.pages, "page")).")
            return .done
        })

    static var store: JobStore {
        .standard(environment: ProcessInfo.processInfo.environment)
    }

    private struct JobsJSON: Encodable {
        struct Job: Encodable {
            var id: String
            var pages: Int
            var state: String
            var bytes: Int
            var isRunning: Bool
            var folder: String
            var outputs: [String]?
            var profile: String?
            var delivered: [String]
            var reason: String?
            var next: NextSheet?
        }
        var jobs: [Job]
    }

    private static func list(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let jobs = store.jobs()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(
                JobsJSON(
                    jobs: jobs.map {
                        .init(
                            id: $0.id, pages: $0.pages, state: state($0).word, bytes: $0.bytes,
                            isRunning: $0.isRunning, folder: $0.folder,
                            outputs: $0.order?.outputs, profile: $0.order?.profile,
                            delivered: $0.delivered, reason: $0.interruption?.reason,
                            next: $0.interruption?.next)
                    }))
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
                job.id, state(job).text, "\(job.pages)", "\((job.bytes + 500_000) / 1_000_000) MB",
                job.order.map { $0.outputs.joined(separator: ", ") } ?? "its order can't be read",
            ])
        }
        try console.result(table.text(for: console.output))
        tell(jobs, console)
        return .done
    }

    private static func state(_ job: StoredJob) -> (word: String, text: String) {
        if job.isRunning { return ("running", "running") }
        if let blank = job.blankPages, job.interruption == nil {
            return ("delivered", "delivered without \(counted(blank, "blank page"))")
        }
        guard let interruption = job.interruption, !job.isRereadable else {
            let isCut = job.interruption != nil
            return ("interrupted", isCut ? "not all files were read" : "interrupted")
        }
        let next = interruption.next.map { ", next: sheet \($0.sheet)" } ?? ""
        return ("continuable", "to be continued\(next)")
    }

    private static func tell(_ jobs: [StoredJob], _ console: Console) {
        if jobs.contains(where: { $0.interruption != nil && !$0.isRereadable }) {
            console.say(
                "Scan the rest with: copystand scan --append JOB. Let go of the pages with: copystand jobs discard JOB"
            )
        }
        if jobs.contains(where: { $0.blankPages != nil }) {
            console.say(
                "Deliver blank pages as well with: copystand jobs resume --keep-blank JOB. Let go of them with: copystand jobs discard JOB"
            )
        }
        if jobs.contains(where: {
            !$0.isRunning && ($0.interruption == nil || $0.isRereadable) && $0.blankPages == nil
        }) {
            console.say("Deliver what was interrupted with: copystand jobs resume JOB")
        }
    }
}
