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

            With --json the result is an object with "jobs", each with "id", "pages" (safe in the spool), "isRunning", \
            "folder" and, where it can be read, "outputs" and "profile".
            """,
        examples: [
            Example("What is waiting?", "copystand jobs"),
            Example(
                "Deliver it to another place", "copystand jobs resume 20261121-101500-k3fw -o letter.pdf"),
        ],
        options: [SharedOptions.json],
        subcommands: [resume, discard],
        handler: handler(list))

    private static let resume = Command(
        name: "resume", summary: "Deliver an interrupted job's pages",
        discussion: "Pages that came from files are read again; pages of a device are taken from the spool.",
        examples: [Example("Where it should have gone", "copystand jobs resume 20261121-101500-k3fw")],
        arguments: [id], options: [ScanOptions.output, SharedOptions.json],
        handler: handler { arguments, console in
            let job = try store.job(arguments.text(id) ?? "")
            let outputs = arguments.texts(ScanOptions.output)
            return try await withScanService(console, isJSON: arguments.isGiven(SharedOptions.json)) {
                try await $0.resume(job, outputs: outputs, control: $1, onEvent: $2)
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

    private static var store: JobStore {
        .standard(environment: ProcessInfo.processInfo.environment)
    }

    private struct JobsJSON: Encodable {
        struct Job: Encodable {
            var id: String
            var pages: Int
            var isRunning: Bool
            var folder: String
            var outputs: [String]?
            var profile: String?
        }
        var jobs: [Job]
    }

    private static func list(_ arguments: ParsedArguments, _ console: Console) async throws -> ExitCode {
        let jobs = store.jobs()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(
                JobsJSON(
                    jobs: jobs.map {
                        .init(
                            id: $0.id, pages: $0.pages, isRunning: $0.isRunning, folder: $0.folder,
                            outputs: $0.order?.outputs, profile: $0.order?.profile)
                    }))
            return .done
        }
        if jobs.isEmpty {
            console.say("No job is waiting: every captured page has been delivered.")
            return .done
        }
        var table = Table([.init("JOB"), .init("STATE"), .init("PAGES"), .init("FOR", minimumWidth: 20)])
        for job in jobs {
            table.add([
                job.id, job.isRunning ? "running" : "interrupted", "\(job.pages)",
                job.order.map { $0.outputs.joined(separator: ", ") } ?? "its order can't be read",
            ])
        }
        try console.result(table.text(for: console.output))
        return .done
    }
}
