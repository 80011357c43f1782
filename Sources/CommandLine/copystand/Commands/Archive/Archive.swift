import BlockingWork
import Archive
import CommandLine
import Delivery

/// `copystand archive`: keeps the archive in order.
enum ArchiveCommand {
    static let command = Command(
        name: "archive", summary: "Check, back up, compact, recover, share or copy the archive",
        discussion: """
            The archive is one SQLite file and a folder of pictures, in ~/.local/share/copystand, \
            or in $XDG_DATA_HOME/copystand where that is set. Many machines can share one in a \
            PostgreSQL database: 'copystand archive init' makes it.
            """,
        examples: [
            Example("Check everything", "copystand archive check"),
            Example("Onto another disk", "copystand archive backup /media/disk/archive"),
        ],
        subcommands: [
            check, ArchiveHistory.command, backup, compact, recover, ArchiveInit.command,
            ArchiveCopy.command,
        ])

    private struct CheckJSON: Encodable {
        var documents: Int
        var pages: Int
        var images: Int
        var strayFiles: Int
        var unchecked: [String]
        var problems: [String]
    }

    private static let check = Command(
        name: "check", summary: "Check the database, the index and every picture",
        discussion: """
            Compares every picture with its hash, which takes a while in a large archive. The exit \
            code is 0 for a sound \
            archive, and 1 when something is wrong.
            """,
        examples: [Example("Check everything", "copystand archive check")],
        options: [SharedOptions.json, ArchiveOptions.folder],
        handler: handler { arguments, console in
            let folder = try ArchiveOptions.folder(arguments)
            let report = try await onOwnThread {
                do { return try Archive.open(folder, .readWrite).check() } catch let error
                    as ArchiveError
                    where error.code == .readOnly || error.code == .folderUnusable
                {
                    return try Archive.open(folder, .readOnly).check()
                }
            }
            if arguments.isGiven(SharedOptions.json) {
                try console.json(
                    CheckJSON(
                        documents: report.documents, pages: report.pages, images: report.images,
                        strayFiles: report.strayFiles, unchecked: report.unchecked,
                        problems: report.problems))
            } else {
                for problem in report.problems + report.unchecked { console.warn(problem) }
                console.say(
                    "\(counted(report.documents, "document")), \(counted(report.pages, "page")), "
                        + "\(counted(report.images, "picture")): "
                        + (report.problems.isEmpty
                            ? "all sound." : "\(counted(report.problems.count, "problem")).")
                        + (report.strayFiles > 0
                            ? " \(counted(report.strayFiles, "file")) of interrupted scans can be removed with: copystand archive compact"
                            : ""))
            }
            return report.problems.isEmpty ? .done : .internalError
        })

    private static let target = Argument(
        "DIR", .one, .path, help: "A folder that does not exist yet.", completion: .folders)

    private static let backup = Command(
        name: "backup", summary: "Copy the archive, even while it is in use",
        discussion: """
            The copy opens as an archive: 'copystand list --archive DIR'. The folder gets its name \
            once the copy is complete.
            """,
        examples: [Example("Onto another disk", "copystand archive backup /media/disk/archive")],
        arguments: [target], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let report = try await withArchive(arguments, .readOnly) {
                try $0.backup(to: arguments.text(target) ?? "")
            }
            for problem in report.problems { console.warn(problem) }
            console.say(
                "\(counted(report.documents, "document")) and \(counted(report.images, "picture")) are in \(report.folder)."
            )
            return report.problems.isEmpty ? .done : .internalError
        })

    private static let compact = Command(
        name: "compact", summary: "Free the space of deleted documents",
        discussion:
            "This removes the files of documents that were in the trash when it was emptied.",
        examples: [Example("Free space", "copystand archive compact")],
        options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let report = try await withArchive(arguments, .readWrite) { try $0.compact() }
            console.say(
                "Removed \(counted(report.removedFiles, "file")) and freed \(report.freedBytes / 1_000) kB."
            )
            return .done
        })

    private static let damaged = Argument(
        "DIR", .one, .path, help: "The damaged archive's folder, which is only read.",
        completion: .folders)

    private static let recover = Command(
        name: "recover", summary: "Save what can be read of a damaged archive",
        discussion: """
            Reads the damaged archive document by document, and puts everything readable into the \
            archive that --archive names, \
            under new numbers. The exit code is 1 when something is lost.
            """,
        examples: [
            Example("Into a new one", "copystand archive recover broken --archive new")
        ],
        arguments: [damaged], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let report = try await withArchive(arguments, .create) {
                try $0.recover(from: arguments.text(damaged) ?? "")
            }
            for document in report.documents {
                console.say("Recovered as document \(document.id): \(document.title)")
                for loss in document.losses { console.warn("  \(loss)") }
            }
            for number in report.lost { console.warn("Document \(number) is lost.") }
            let isWhole = report.lost.isEmpty && report.documents.allSatisfy(\.losses.isEmpty)
            return isWhole ? .done : .internalError
        })
}
