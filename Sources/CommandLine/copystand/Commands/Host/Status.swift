import BlockingWork
import Archive
import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import ScanService
import Workers

/// `copystand status`: the activity of the machines that share an archive.
enum StatusCommand {
    static let command = Command(
        name: "status",
        summary: "Show the stations, workers, waiting pages and space of an archive",
        discussion: """
            Shows who uses a shared archive: stations ('copystand serve'), with the number of \
            pages that they keep until the server has them, and workers ('copystand work') with \
            their jobs. It also shows what waits for workers and for how long, which jobs they \
            gave up and why, and how much space is used. A machine that has not reported for a \
            minute is shown as away.

            For an archive that only this machine uses, it shows the space and what waits in the \
            spool.

            With --json the result is an object with "archive", "stations" and "workers" (each with \
            "name", "version", "isThere", "silence" in seconds; "pages" of a station, "jobs" and \
            "places" of a worker), "queue" ("waitingJobs", "waitingPages", "runningJobs", \
            "runningPages", "oldest" in seconds), "givenUp" (each with "number", "job", "station", \
            "pages", "attempts", "reason"), "spool" ("jobs", "pages") and "space" (bytes of \
            "database" and "images", "free" in the spool). The exit code is 1 when something was \
            given up.
            """,
        examples: [
            Example("What is going on?", "copystand status --archive postgresql://db/scans"),
            Example(
                "For a monitor", "copystand status --archive postgresql://db/scans --json"),
        ],
        options: [SharedOptions.json, ArchiveOptions.folder], handler: handler(show))

    private static func show(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        let place = try ArchiveOptions.folder(arguments)
        let store = try JobStore.standard(environment: ProcessInfo.processInfo.environment)
        let status = try await onOwnThread { try StatusJSON(of: place, spool: store) }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(status)
        } else {
            try console.result(status.text(for: console.output))
        }
        return status.shared?.givenUp.isEmpty ?? true ? .done : .internalError
    }
}

/// The output of `copystand status`.
private struct StatusJSON: Encodable {
    struct Spool: Encodable {
        var jobs: Int
        var pages: Int
    }

    struct Space: Encodable {
        var database: Int?
        var images: Int?
        var imagePlace: String?
        var free: Int?
    }

    var archive: String
    /// Nil for an archive on only this machine.
    var shared: SharedStatusJSON?
    var spool: Spool
    var space: Space

    private enum CodingKeys: CodingKey { case archive, spool, space }

    func encode(to encoder: any Encoder) throws {
        try shared?.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(archive, forKey: .archive)
        try fields.encode(spool, forKey: .spool)
        try fields.encode(space, forKey: .space)
    }

    /// Asks the archive's server, and looks into the spool.
    init(of place: String, spool store: JobStore) throws {
        archive = place
        try store.check()
        let jobs = store.jobs()
        spool = Spool(jobs: jobs.count, pages: jobs.reduce(0) { $0 + $1.pages })
        space = Space(free: Self.freeSpace(store.root))
        guard Archive.isShared(place) else {
            _ = try Archive.open(place, .readOnly)
            return
        }
        let status = try SharedStatus(of: place)
        shared = SharedStatusJSON(status)
        space.database = status.space?.database
        space.images = status.space?.images
        space.imagePlace = status.space?.imagePlace
    }

    private static func freeSpace(_ folder: String) -> Int? {
        var information = statvfs()
        // The spool's folder is made for its first job.
        guard statvfs(folder, &information) == 0 || statvfs("/var/tmp", &information) == 0 else {
            return nil
        }
        let (bytes, isHuge) = UInt64(information.f_bavail)
            .multipliedReportingOverflow(by: UInt64(information.f_frsize))
        return isHuge ? nil : Int(exactly: bytes)
    }

    // MARK: Text

    func text(for terminal: Terminal) -> String {
        var text = "Archive: \(archive)\n"
        if let shared {
            if shared.stations.isEmpty, shared.workers.isEmpty {
                text += "No station or worker runs for it.\n"
            } else {
                text += "\n" + machines(of: shared).text(for: terminal) + "\n"
            }
            text += words(of: shared)
        } else {
            text += "It is only on this machine, so there are no other stations or workers.\n"
        }
        if spool.jobs > 0 {
            text +=
                "In the spool of this machine: \(counted(spool.jobs, "job")) with "
                + "\(counted(spool.pages, "page")). See: copystand jobs\n"
        }
        let givenUp = shared?.givenUp ?? []
        for job in givenUp {
            text +=
                "Given up: job \(job.number), \(counted(job.pages, "page")) of \(job.station), "
                + "after \(counted(job.attempts, "attempt")): \(job.reason)\n"
        }
        if let first = givenUp.first {
            text += "Try again with: copystand work retry \(first.number)\n"
        }
        return text + words(of: space)
    }

    private func machines(of shared: SharedStatusJSON) -> Table {
        var table = Table([
            .init("NAME"), .init("ROLE"), .init("VERSION"), .init("SEEN"), .init("DOES"),
        ])
        for station in shared.stations {
            table.add([
                station.name, "station", station.version, seen(station.isThere, station.silence),
                station.pages == 0 ? "" : "keeps \(counted(station.pages, "page"))",
            ])
        }
        for worker in shared.workers {
            table.add([
                worker.name, "worker", worker.version, seen(worker.isThere, worker.silence),
                "\(worker.jobs) of \(counted(worker.places, "job"))",
            ])
        }
        return table
    }

    private func seen(_ isThere: Bool, _ silence: Double) -> String {
        isThere ? "now" : "\(time(silence)) ago"
    }

    private func words(of shared: SharedStatusJSON) -> String {
        let queue = shared.queue
        guard queue.waitingJobs + queue.runningJobs > 0 else { return "No page waits.\n" }
        let oldest = queue.oldest.map { ", the oldest for \(time($0))" } ?? ""
        let waiting =
            "Waiting: \(counted(queue.waitingPages, "page")) in \(counted(queue.waitingJobs, "job"))\(oldest)\n"
        let running =
            "Being processed: \(counted(queue.runningPages, "page")) in \(counted(queue.runningJobs, "job"))\n"
        let isForgotten = queue.waitingJobs > 0 && !shared.workers.contains(where: \.isThere)
        return (queue.waitingJobs > 0 ? waiting : "") + (queue.runningJobs > 0 ? running : "")
            + (isForgotten
                ? "No worker runs. Start one with: copystand work --archive \(archive)\n" : "")
    }

    private func words(of space: Space) -> String {
        var parts: [String] = []
        if let database = space.database { parts.append("\(size(database)) in the database") }
        if let images = space.images, let place = space.imagePlace {
            parts.append("\(size(images)) of pictures in \(place)")
        }
        if let free = space.free { parts.append("\(size(free)) free for the spool") }
        return "Space: \(parts.joined(separator: ", "))\n"
    }

    private func size(_ bytes: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB", "PB"]
        var (number, unit) = (Double(bytes), 0)
        while number >= 1000, unit + 1 < units.count { (number, unit) = (number / 1000, unit + 1) }
        return unit == 0 ? "\(bytes) bytes" : "\(tenths(number)) \(units[unit])"
    }

    private func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<90: "\(Int(max(0, seconds))) s"
        case ..<5400: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: "\(Int(min(seconds / 86_400, 1e9))) days"
        }
    }
}
