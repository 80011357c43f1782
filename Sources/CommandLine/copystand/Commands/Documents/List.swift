import BlockingWork
import Archive
import CommandLine
import Documents
import HostClient
import Listings

/// `copystand list`: lists the documents in the archive.
enum ListCommand {
    static let trash = Option(flag: "trash", help: "List what is in the trash instead.")
    static let limit = Option(
        "limit", short: "n", value: "N", .integer(1...1_000_000), help: "At most N documents.")

    static let command = Command(
        name: "list", summary: "List archived documents",
        discussion: """
            The most recently scanned comes first. With --json the result is an object with \
            "documents", each with "id", "title", "type", "created", "added", "changed", "pages", \
            "tags" and "reviewed".
            """,
        examples: [
            Example("Everything", "copystand list"),
            Example("This year's invoices", "copystand list --type invoice --since 2026"),
            Example("List the trash", "copystand list --trash"),
        ],
        options: [
            ArchiveOptions.type, ArchiveOptions.tag, ArchiveOptions.since, ArchiveOptions.before,
            trash, limit, SharedOptions.json, ArchiveOptions.folder,
        ] + HostOptions.all(without: ["archive"]),
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
            let documents =
                if let host = try HostOptions.connection(arguments, console) {
                    try await listed(arguments, on: host)
                } else {
                    try await withArchive(arguments, .readOnly) { try $0.documents(filter) }
                        .map(DocumentJSON.init)
                }
            if arguments.isGiven(SharedOptions.json) {
                try console.json(["documents": documents])
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
                    "\(document.id)", CalendarDay.text(of: seconds(ofMoment: document.created)),
                    document.type.rawValue, "\(document.pages)", document.title,
                    document.tags.joined(separator: ", "),
                ])
            }
            try console.result(table.text(for: console.output))
            return .done
        })

    /// The maximum number of documents in a host's answer.
    private static let portion = 1000

    /// The documents in the archive of another host.
    private static func listed(
        _ arguments: ParsedArguments, on host: HostConnection
    ) async throws -> [DocumentJSON] {
        struct Answer: Decodable { var documents: [DocumentJSON] }
        let tags = arguments.texts(ArchiveOptions.tag)
        guard tags.count < 2 else {
            throw UsageError(
                .refused("can be given only once with --host"),
                argument: ArchiveOptions.tag.spelling, path: arguments.path)
        }
        let filters = [
            ("type", arguments.text(ArchiveOptions.type)), ("tag", tags.first),
            ("since", arguments.text(ArchiveOptions.since)),
            ("before", arguments.text(ArchiveOptions.before)),
            ("trash", arguments.isGiven(trash) ? "true" : nil),
        ].compactMap { name, value in value.map { (name: name, value: $0) } }
        let most = arguments.integer(limit) ?? .max
        return try await onOwnThread {
            var documents: [DocumentJSON] = []
            while documents.count < most {
                let wanted = min(portion, most - documents.count)
                let next = try host.get(
                    "/api/v1/documents",
                    filters + [("limit", "\(wanted)"), ("offset", "\(documents.count)")],
                    as: Answer.self
                ).documents
                documents += next.prefix(wanted)
                if next.count < wanted { break }
            }
            return documents
        }
    }
}
