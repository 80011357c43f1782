import Clocks
import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import JobOptions
import Listings
import ScanService

/// `copystand watch-folder`: scans the files that appear in a folder.
enum WatchFolderCommand {
    private static let folder = Argument(
        "DIR", .one, .path, help: "The folder that a scanner or phone puts files into.",
        completion: .files)
    private static let still = Option(
        "still", value: "SECONDS", .number(0...3600),
        help:
            "Read a file once it has not changed for this long; 5 unless given, 15 on a network file system."
    )
    private static let giveUp = Option(
        "give-up", value: "SECONDS", .number(0...86_400),
        help:
            "Move an incomplete file to 'failed' once it has not changed for this long; 600 unless given."
    )
    private static let delete = Option(
        flag: "delete",
        help: """
            Delete a file once its document is delivered, instead of moving it to 'done'. A file \
            with a page that was left out or has a problem still goes to 'done'.
            """, excludes: ["leave"])
    private static let leave = Option(
        flag: "leave",
        help: """
            Leave files where they are, instead of moving them to 'done' or 'failed', as for a \
            folder that a phone keeps in sync. A file that changes is read again.
            """, excludes: ["delete"])
    private static let once = Option(
        flag: "once", help: "Read the files that are there, then stop.")
    private static let always = Option(
        flag: "always",
        help: """
            Don't watch now: let 'copystand serve' watch the folder after its next start, with \
            these options.
            """, excludes: ["once", "never"])
    private static let never = Option(
        flag: "never", help: "Stop 'copystand serve' from watching the folder.",
        excludes: ["once", "always"])
    private static let join = Option(
        "join", value: "SECONDS", .number(1...86_400),
        help: """
            Make one document of all files that arrive, until none has arrived for this long: for \
            a scanner that sends one file per page.
            """, excludes: ["join-numbered", "collate"])
    private static let joinNumbered = Option(
        "join-numbered", value: "SECONDS", .number(1...86_400),
        help: """
            Make one document of files whose names differ only in their last number, such as \
            scan-1.jpg and scan-2.jpg, once no other has arrived for this long.
            """, excludes: ["join", "collate"])
    private static let subfolders = Option(
        "subfolders", value: "WHAT", .choice(["profile", "tag"]),
        help: """
            Watch the folders in DIR as well: the name of each is a profile for its files, or a \
            tag that their documents get in the archive. Each has its own 'done' and 'failed'.
            """)

    static let command = Command(
        name: "watch-folder", summary: "Turn every new file in a folder into a document",
        discussion: """
            For scanners that send files by FTP, SMB or SFTP, and for a phone's folder. A file is \
            read when it is complete: it has not changed for a while, its format is complete, and \
            no program has it open for writing. Hidden files and those that end with .part, .tmp \
            or .crdownload wait for their final name.

            Each file becomes a document, unless files are joined (--join, --join-numbered), or \
            two are the fronts and backs of a stack (--collate). With -o its name has a number: \
            '-o scan.pdf' makes scan-001.pdf and so on; {n} in it is where the number goes. \
            Then the file is moved to the folder 'done' in DIR. Files that can't be read go to \
            'failed', with the reason in a text file next to them. To try one again, put it back. \
            Several hosts may watch one folder.
            """,
        examples: [
            Example("Everything into the archive", "copystand watch-folder /srv/scans"),
            Example(
                "To a service, with another profile",
                "copystand watch-folder /srv/scans --profile receipt --sink office"),
            Example(
                "A scanner that sends one picture per page",
                "copystand watch-folder /srv/scans --join-numbered 10"),
            Example(
                "A folder for each tag", "copystand watch-folder /srv/scans --subfolders tag"),
            Example("From a timer", "copystand watch-folder /srv/scans --once"),
            Example(
                "Whenever 'copystand serve' runs",
                "copystand watch-folder /srv/scans --sink office --always"),
        ],
        arguments: [folder],
        options: [
            still, giveUp, delete, leave, once, always, never, join, joinNumbered, subfolders,
        ] + ScanOptions.all(in: .watchFolder),
        handler: handler(run))

    private static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        if arguments.isGiven(always) || arguments.isGiven(never) {
            return try remember(arguments, console)
        }
        let watched = try WatchedFolders(
            absolutePath(arguments.text(folder) ?? ""), stillness: arguments.number(still),
            patience: arguments.number(giveUp) ?? 600, rule: try rule(arguments),
            names: arguments.text(subfolders).flatMap(WatchedFolders.Names.init),
            leavesFiles: arguments.isGiven(leave))
        let changes = FolderChanges()
        let clock: any Clock<Duration> = ContinuousClock()
        let isOnce = arguments.isGiven(once)
        if !isOnce { console.say("Watching '\(watched.path)'. Ctrl-C ends it.") }
        var result = ExitCode.done
        let names = OutputNumbering(arguments.texts(ScanOptions.output))
        var number = 1
        while !Task.isCancelled && !FolderWatchers.isOrphaned {
            let folders = try watched.all(console)
            let isReported = watched.areReported(by: changes)
            for one in folders {
                for path in one.newLeftovers() {
                    let code = try await goingOn(console) {
                        try await settleLeft(path, in: one, arguments, console)
                        return .done
                    }
                    if code != .done { result = code }
                }
                for group in one.ready(now: uptime()) where !Task.isCancelled {
                    number = names.firstFree(from: number)
                    let outputs = names.outputs(number)
                    let code = try await goingOn(console) {
                        try await take(
                            group, one, outputs: outputs, arguments: arguments, console: console)
                    }
                    if code != .done { result = code }
                }
            }
            if isOnce && watched.isQuiet { return result }
            if isReported && watched.isQuiet {
                await changes.wait(atMost: 5)
            } else {
                // Polling is needed, because no system reports that a file stays unchanged, or a
                // change on a network disk.
                await clock.pause(for: .milliseconds(500))
            }
        }
        return .cancelled
    }

    /// Works on one file; where it can't be put away, the others are still taken.
    private static func goingOn(
        _ console: Console, _ body: () async throws -> ExitCode
    ) async throws -> ExitCode {
        do { return try await body() } catch let error as DeliveryError {
            let explained = ErrorMessages.explain(error)
            console.warn(explained.text)
            return explained.code
        }
    }

    /// Makes `copystand serve` watch the folder, or stop watching it.
    private static func remember(
        _ arguments: ParsedArguments, _ console: Console
    ) throws -> ExitCode {
        let path = absolutePath(arguments.text(folder) ?? "")
        let known = try RememberedFolders(environment: ProcessInfo.processInfo.environment)
        guard arguments.isGiven(always) else {
            let wasKnown = try known.forget(path)
            console.say(
                wasKnown
                    ? "After its next start, 'copystand serve' no longer watches '\(path)'."
                    : "'copystand serve' does not watch '\(path)'.")
            return .done
        }
        // Errors that would happen then are reported now.
        let files = try rule(arguments) == .sides ? [path, path] : [path]
        _ = try ScanOrder(try ScanArguments(.files(files), arguments, console))
        _ = try HotFolder(path)
        let words = ProcessInfo.processInfo.arguments.drop { $0 != "watch-folder" }.dropFirst()
        try known.remember(
            .init(
                path: path, directory: FileManager.default.currentDirectoryPath,
                words: words.filter { $0 != always.spelling }))
        console.say("'copystand serve' watches '\(path)' after its next start.")
        return .done
    }

    private static func rule(_ arguments: ParsedArguments) throws -> HotGroups.Rule {
        if let seconds = arguments.number(join) { return .quiet(seconds) }
        if let seconds = arguments.number(joinNumbered) { return .numbered(seconds) }
        let options = try GivenJobOptions(arguments).settings
        return options[.collates] ? .sides : .each
    }

    /// Moves a file that a killed process was reading: to `done` if its document is complete.
    private static func settleLeft(
        _ path: String, in watched: WatchedFolder, _ arguments: ParsedArguments, _ console: Console
    ) async throws {
        let hot = watched.folder
        var why = "Copystand was stopped while it was working on this file. See: copystand jobs"
        do {
            var order = try ScanArguments(.files([path]), arguments, console)
            watched.name(&order)
            if try await LeftFiles().complete(path, ScanOrder(order), console) {
                let place = try hot.settle(path, reason: nil)
                return console.say(
                    "'\(place ?? path)' has its document, though Copystand was stopped before.")
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            why += " " + ErrorMessages.explain(error).text
        }
        try fail([path], why, hot: hot, console: console)
    }

    private static func take(
        _ group: HotGroups.Group, _ watched: WatchedFolder, outputs: [String],
        arguments: ParsedArguments, console: Console
    ) async throws -> ExitCode {
        let hot = watched.folder
        switch group {
        case .broken(let name, let why):
            guard let path = hot.claim(name) else { return .done }
            try fail([path], "The file is incomplete: \(why).", hot: hot, console: console)
            return .deviceFailed
        case .other(let name, let what):
            console.warn("'\(hot.path)/\(name)' is not taken: \(what).")
            return .done
        case .document(let names):
            guard let all = hot.claim(names) else { return .done }
            let paths = try unrepeated(all, hot, console)
            guard !paths.isEmpty else { return .done }
            return try await importFiles(
                paths, watched, outputs: outputs, arguments: arguments, console: console)
        }
    }

    /// The files whose bytes have not been imported before; the others are settled.
    private static func unrepeated(
        _ claimed: [String], _ hot: HotFolder, _ console: Console
    ) throws -> [String] {
        try claimed.filter { path in
            guard hot.isRepeated(path) else { return true }
            let place = try hot.settleRepeated(path)
            console.say("'\(place ?? path)' arrived a second time; its document already exists.")
            return false
        }
    }

    /// Turns claimed files into a document, and settles them.
    private static func importFiles(
        _ paths: [String], _ watched: WatchedFolder, outputs: [String],
        arguments: ParsedArguments, console: Console
    ) async throws -> ExitCode {
        let hot = watched.folder
        let claimed = paths.map { SourceFile(path: $0) }
        let taken = try LeftFiles().taken
        defer { taken.forget(paths) }
        var isComplete = false
        do {
            var order = try ScanArguments(.files(paths), arguments, console)
            order.outputs = outputs
            watched.name(&order)
            let code = try await runScan(order) {
                taken.note(paths, job: $0)
            } onResult: {
                isComplete = $0.isComplete
            }
            guard code == .done else {
                try fail(paths, code.meaning, hot: hot, console: console)
                return code
            }
        } catch {
            let explained = ErrorMessages.explain(error)
            try fail(paths, explained.text, hot: hot, console: console)
            return explained.code
        }
        guard claimed.allSatisfy({ $0?.isUnchanged == true }) else {
            let why = "The file was changed while it was read. Its document may be out of date."
            try fail(paths, why, hot: hot, console: console)
            return .deviceFailed
        }
        try each(paths) { path in
            let name = path.split(separator: "/").last ?? ""
            if arguments.isGiven(delete), isComplete { return try hot.delete(path) }
            let place = try hot.settle(path, reason: nil)
            if arguments.isGiven(delete) {
                console.warn(
                    "'\(name)' is now in '\(place ?? path)': a page of it is missing or has a problem."
                )
            }
        }
        return .done
    }

    /// Moves each file away, even those after one that can't be moved; then throws that one's
    /// error.
    private static func each(_ paths: [String], _ body: (String) throws -> Void) throws {
        var failure: (any Error)?
        for path in paths {
            do { try body(path) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private static func fail(
        _ paths: [String], _ why: String, hot: HotFolder, console: Console
    ) throws {
        try each(paths) { path in
            let name = path.split(separator: "/").last ?? ""
            let place = try hot.settle(path, reason: why)
            console.warn(
                hot.leavesFiles
                    ? "'\(place ?? path)' stays where it is: \(why)"
                    : "'\(name)' is now in '\(place ?? path)': \(why)")
        }
    }

    private static func uptime() -> Double {
        let time = ContinuousClock.now - start
        return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    }
    private static let start = ContinuousClock.now
}

extension ScanJSON {
    /// True if every page is in a document, and none has a problem.
    fileprivate var isComplete: Bool {
        skipped.isEmpty && blankPagesLeftOut == nil
            && !pages.contains { $0.document == 0 || !$0.problems.isEmpty }
    }
}
