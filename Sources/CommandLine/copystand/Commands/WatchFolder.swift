import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import Listings
import ScanService

/// `copystand watch-folder`: takes what others put into a folder.
enum WatchFolderCommand {
    private static let folder = Argument(
        "DIR", .one, .path, help: "The folder that a scanner or phone puts files into.",
        completion: .files)
    private static let still = Option(
        "still", value: "SECONDS", .number(0...3600),
        help:
            "Take a file once it has not changed for this long; 5 unless given, 15 on a network file system."
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
            """)
    private static let once = Option(
        flag: "once", help: "Take what is there, then stop.")

    static let command = Command(
        name: "watch-folder", summary: "Turn every new file in a folder into a document",
        discussion: """
            For scanners that send files by FTP, SMB or SFTP, and for a phone's folder. A file is \
            taken when it is complete: it has not changed for a while, its format is complete, and \
            no program has it open for writing. Hidden files and those that end with .part, .tmp \
            or .crdownload wait for their final name.

            Each file becomes a document. With -o its name has a number: '-o scan.pdf' makes \
            scan-001.pdf and so on; {n} in it says where the number goes. Then the file is moved \
            to the folder 'done' in DIR. Files that can't be read go to 'failed', with the reason \
            in a text file next to them. To try one again, put it back. Several hosts may watch \
            one folder.
            """,
        examples: [
            Example("Everything into the archive", "copystand watch-folder /srv/scans"),
            Example(
                "To a service, with another profile",
                "copystand watch-folder /srv/scans --profile receipt --sink office"),
            Example("From a timer", "copystand watch-folder /srv/scans --once"),
        ],
        arguments: [folder],
        options: [still, giveUp, delete, once] + ScanOptions.all
            + [ImportCommand.pageTimeout, ImportCommand.strict],
        handler: handler(run))

    private static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        let hot = try HotFolder(
            absolutePath(arguments.text(folder) ?? ""), stillness: arguments.number(still),
            patience: arguments.number(giveUp) ?? 600)
        for path in hot.leftovers() {
            try fail(
                path,
                "Copystand was stopped while it was working on this file. See: copystand jobs",
                hot: hot, console: console)
        }
        let isOnce = arguments.isGiven(once)
        if !isOnce { console.say("Watching '\(hot.path)'. Ctrl-C ends it.") }
        var result = ExitCode.done
        let names = OutputNumbering(arguments.texts(ScanOptions.output))
        var number = 1
        while !Task.isCancelled {
            for found in hot.look(now: uptime()) where !Task.isCancelled {
                number = names.firstFree(from: number)
                let code = try await take(
                    found, hot, outputs: names.outputs(number), arguments: arguments,
                    console: console)
                if code != .done { result = code }
            }
            if isOnce && hot.isQuiet { return result }
            // The system reports no changes on network file systems, so the folder is polled.
            try? await Task.sleep(for: .milliseconds(500))
        }
        return .cancelled
    }

    private static func take(
        _ found: HotFolder.Found, _ hot: HotFolder, outputs: [String],
        arguments: ParsedArguments, console: Console
    ) async throws -> ExitCode {
        switch found {
        case .broken(let name, let why):
            guard let path = hot.claim(name) else { return .done }
            try fail(path, "The file is incomplete: \(why).", hot: hot, console: console)
            return .deviceFailed
        case .whole(let name):
            guard let path = hot.claim(name) else { return .done }
            let claimed = SourceFile(path: path)
            var isComplete = false
            do {
                var order = try ScanArguments(.files([path]), arguments, console)
                order.outputs = outputs
                let code = try await runScan(order) { isComplete = $0.isComplete }
                guard code == .done else {
                    try fail(path, code.meaning, hot: hot, console: console)
                    return code
                }
            } catch {
                let explained = ErrorMessages.explain(error)
                try fail(path, explained.text, hot: hot, console: console)
                return explained.code
            }
            guard claimed?.isUnchanged == true else {
                let why = "The file was changed while it was read. Its document may be out of date."
                try fail(path, why, hot: hot, console: console)
                return .deviceFailed
            }
            if arguments.isGiven(delete), isComplete {
                unlink(path)
            } else {
                let place = try hot.settle(path, reason: nil)
                if arguments.isGiven(delete) {
                    console.warn(
                        "'\(name)' is now in '\(place ?? path)': not every page of it is in its document as it was."
                    )
                }
            }
            return .done
        }
    }

    private static func fail(
        _ path: String, _ why: String, hot: HotFolder, console: Console
    ) throws {
        let name = path.split(separator: "/").last ?? ""
        let place = try hot.settle(path, reason: why)
        console.warn("'\(name)' is now in '\(place ?? path)': \(why)")
    }

    private static func uptime() -> Double {
        let time = ContinuousClock.now - start
        return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    }
    private static let start = ContinuousClock.now
}

extension ScanJSON {
    /// Whether every page is in a document, and none has a problem.
    fileprivate var isComplete: Bool {
        skipped.isEmpty && blankPagesLeftOut == nil
            && !pages.contains { $0.document == 0 || !$0.problems.isEmpty }
    }
}
