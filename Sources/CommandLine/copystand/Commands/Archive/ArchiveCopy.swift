import BlockingWork
import Archive
import CommandLine
import Delivery

/// `copystand archive copy`: copies documents from one archive to another.
enum ArchiveCopy {
    private static let places = Argument(
        "PLACE", .oneOrMore, .path,
        help: "The archive to copy from, and the one to copy to: a folder or a database each.",
        completion: .folders)

    static let command = Command(
        name: "copy", summary: "Copy all documents into another archive, such as a shared one",
        discussion: """
            Documents keep their numbers and their histories, and each picture is compared with \
            its hash. If it was interrupted, run it again: it continues where it stopped. The \
            archive to copy to may have no other documents.
            """,
        examples: [
            Example(
                "From this machine to a database",
                "copystand archive copy ~/.local/share/copystand postgresql://db/scans")
        ],
        arguments: [places],
        handler: handler { arguments, console in
            let places = arguments.texts(places)
            guard places.count == 2 else {
                throw UsageError(
                    .invalidValue(
                        places.joined(separator: " "),
                        expected: "two archives: the one to copy from and the one to copy to"),
                    argument: "PLACE", path: arguments.path)
            }
            let report = try await onOwnThread {
                try Archive.open(places[0], .readWrite).copy(
                    into: Archive.open(places[1], .create))
            }
            console.say(
                "\(counted(report.documents, "document")) and \(counted(report.images, "picture")) were copied"
                    + (report.known > 0
                        ? "; \(counted(report.known, "document")) had been copied before." : "."))
            return .done
        })
}
