import BlockingWork
import Archive
import CommandLine
import Delivery
import FoundationEssentials
import Readers
import ScanService
import Workers

/// `copystand work`: processes pages that stations left in a shared archive.
enum WorkCommand {
    private static let places = Option(
        "jobs", short: "j", value: "N", .integer(1...256),
        help:
            "How many jobs to process at the same time; as many as there are cores unless given.")
    private static let untilIdle = Option(
        flag: "until-idle", help: "End as soon as nothing is left to do.")
    private static let number = Argument(
        "NUMBER", .one, .integer(1...Int.max),
        help: "The job, as 'copystand status' numbers those that were given up.")
    private static let some = Argument(
        "NUMBER", .optional, .integer(1...Int.max),
        help: "The job, as 'copystand status' numbers it; all that were given up unless given.")

    static let command = Command(
        name: "work", summary: "Process pages that stations left in a shared archive",
        discussion: """
            Stations that scan with '--process later' leave their pages in the archive as they \
            were captured. A worker takes them, job by job, runs the steps and the reader of their \
            profile, and adds the documents. Any number of workers on any machines share the \
            work: jobs that someone waits for come first, and stations take turns.

            It runs until Ctrl-C or SIGTERM. Then it continues for eight seconds with the jobs that \
            it has, and returns those that are not done to the queue. If a worker was killed, or \
            can't reach the server anymore, another one takes over its jobs after a minute. A job \
            that fails is tried again later, five times in all. Then 'copystand status' shows it \
            with the reason, and 'copystand work retry' tries it again.

            A worker needs the readers and languages of the profiles, and space for a few pages in \
            $TMPDIR.
            """,
        examples: [
            Example(
                "Work for an archive, four jobs at a time",
                "copystand work --archive postgresql://db/scans -j 4"),
            Example(
                "Process everything that has arrived, such as each night",
                "copystand work --archive postgresql://db/scans --until-idle"),
            Example(
                "Retry the jobs that were given up",
                "copystand work retry --archive postgresql://db/scans"),
        ],
        options: [ArchiveOptions.folder, places, untilIdle], subcommands: [retry, drop],
        handler: handler(run))

    private static let retry = Command(
        name: "retry", summary: "Retry jobs that workers gave up",
        examples: [
            Example("All of them", "copystand work retry --archive postgresql://db/scans"),
            Example("One of them", "copystand work retry 17 --archive postgresql://db/scans"),
        ],
        arguments: [some], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let place = try sharedPlace(arguments)
            let wanted = arguments.text(some).flatMap { Int64($0) }
            let again = try await onOwnThread { try DeadJobs.retry(wanted, in: place) }
            if let wanted, again == 0 { throw noJob(wanted, arguments) }
            console.say(
                again == 0
                    ? "No job was given up." : "\(counted(again, "job")) will be tried again.")
            return .done
        })

    private static let drop = Command(
        name: "drop", summary: "Delete a job that workers gave up, with its pages, for good",
        examples: [Example("Delete it", "copystand work drop 17 --archive postgresql://db/scans")],
        arguments: [number], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let place = try sharedPlace(arguments)
            let wanted = arguments.text(number).flatMap { Int64($0) } ?? 0
            guard try await onOwnThread({ try DeadJobs.drop(wanted, in: place) }) else {
                throw noJob(wanted, arguments)
            }
            console.say("Deleted job \(wanted) and its pages.")
            return .done
        })

    private static func noJob(_ number: Int64, _ arguments: ParsedArguments) -> UsageError {
        UsageError(
            .refused("is not a job that was given up; 'copystand status' lists them"),
            argument: "\(number)", path: arguments.path)
    }

    private static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        OpenFiles.raiseLimit()
        let place = try sharedPlace(arguments)
        let places =
            arguments.integer(places) ?? ProcessInfo.processInfo.activeProcessorCount
        let recognizer = Readers(workers: places)
        let result = try await withCaptureHost(console) { host in
            let service = try ScanService(
                host: host, recognizer: recognizer, readers: Self.readersOfJob(places))
            let worker = Worker(
                for: place, service: service, places: places, version: Program.version
            ) { event in
                write(event, console)
            }
            console.say(
                "Working for '\(place)', \(counted(places, "job")) at a time. Ctrl-C stops.")
            try await worker.run(untilIdle: arguments.isGiven(untilIdle))
            return ExitCode.done
        }
        await recognizer.shutdown()
        return result
    }

    /// The number of pages of one job to read at the same time: few where there are many jobs,
    /// since each keeps some pages in memory.
    private static func readersOfJob(_ places: Int) -> Int { places <= 4 ? places : 2 }

    /// The address that a command line or the environment names.
    ///
    /// - Throws: ``UsageError`` for an archive that is only on this machine.
    static func sharedPlace(_ arguments: ParsedArguments) throws -> String {
        let place = try ArchiveOptions.folder(arguments)
        guard Archive.isShared(place) else {
            throw UsageError(
                .invalidValue(
                    place,
                    expected:
                        "the address of an archive that machines share, such as postgresql://db/scans"
                ), argument: "--archive", path: arguments.path)
        }
        return place
    }

    private static func write(_ event: WorkerEvent, _ console: Console) {
        switch event {
        case .began(let job, let station, let pages):
            if console.isVerbose {
                console.say("\(job): \(counted(pages, "page")) of \(station)")
            }
        case .finished(let job, let station, let pages, let words, let seconds):
            console.say(
                "\(job): \(counted(pages, "page")) of \(station), \(counted(words, "word")), in \(tenths(seconds)) s"
            )
        case .failed(let job, let reason): console.warn("\(job) failed: \(reason)")
        case .lost(let job):
            console.warn("\(job) is now another worker's; nothing of it was added here.")
        case .gaveBack(let job): console.say("\(job) was given back.")
        case .away(let reason): console.warn("\(reason) The worker keeps trying.")
        case .back: console.say("The server answers again.")
        }
    }
}
