import Archive
import CommandLine
import Documents
import Listings

/// `copystand list`: what is in the archive.
enum ListCommand {
    static let trash = Option(flag: "trash", help: "List what is in the trash instead.")
    static let limit = Option(
        "limit", short: "n", value: "N", .integer(1...1_000_000), help: "At most N documents.")

    static let command = Command(
        name: "list", summary: "List archived documents",
        discussion: """
            The latest scanned comes first. With --json the result is an object with "documents", each with "id", \
            "title", "type", "created", "added", "changed", "pages", "tags" and "reviewed".
            """,
        examples: [
            Example("Everything", "copystand list"),
            Example("This year's invoices", "copystand list --type invoice --since 2026"),
            Example("What can be restored", "copystand list --trash"),
        ],
        options: [
            ArchiveOptions.type, ArchiveOptions.tag, ArchiveOptions.since, ArchiveOptions.before,
            trash, limit, SharedOptions.json, ArchiveOptions.folder,
        ],
        handler: handler { arguments, console in
            let filter = DocumentFilter(
                type: try arguments.text(ArchiveOptions.type).map(SearchQuery.type),
                tags: arguments.texts(ArchiveOptions.tag),
                since: try arguments.text(ArchiveOptions.since).map {
                    try SearchQuery.day($0, "--since")
                },
                before: try arguments.text(ArchiveOptions.before).map {
                    try SearchQuery.day($0, "--before")
                }, isTrash: arguments.isGiven(trash), limit: arguments.integer(limit) ?? .max)
            let documents = try await withArchive(arguments, .readOnly) { try $0.documents(filter) }
            if arguments.isGiven(SharedOptions.json) {
                try console.json(["documents": documents.map(DocumentJSON.init)])
                return .done
            }
            if documents.isEmpty {
                console.say(filter.isTrash ? "The trash is empty." : "No document is listed.")
                return .done
            }
            var table = Table([
                .init("ID", isAlignedRight: true, minimumWidth: 2), .init("DATE", minimumWidth: 10),
                .init("TYPE"), .init("PAGES", isAlignedRight: true, minimumWidth: 5),
                .init("TITLE", minimumWidth: 20), .init("TAGS", minimumWidth: 10),
            ])
            for document in documents {
                table.add([
                    "\(document.id)", CalendarDay.text(of: document.created),
                    document.type.rawValue, "\(document.pages)", document.title,
                    document.tags.joined(separator: ", "),
                ])
            }
            try console.result(table.text(for: console.output))
            return .done
        })
}
