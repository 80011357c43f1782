import Archive
import CommandLine
import Listings

/// `copystand archive history`: users' actions on documents.
enum ArchiveHistory {
    private static let document = Argument(
        "ID", .optional, .integer(1...Int.max),
        help: "The document, which may be deleted; all documents unless given.",
        completion: .dynamic("documents"))

    private static let limit = Option(
        "limit", value: "N", .integer(1...1_000_000), help: "At most N entries; 100 unless given.")

    static let command = Command(
        name: "history", summary: "Show who scanned, changed, sent and deleted documents",
        discussion: """
            The newest entry is the first. Entries are made by every command, host and worker, \
            with the clock of the archive's database, and stay when their document is deleted. \
            Nothing removes them.

            With --json the result is an object with "entries", each with "id", "made", "name", \
            "station", "action" (scanned, imported, changed, sent, trashed, restored or deleted), \
            "changes" or "sink", "document" and "title".
            """,
        examples: [
            Example("What was done lately", "copystand archive history"),
            Example("With one document", "copystand archive history 12"),
        ],
        arguments: [document], options: [limit, SharedOptions.json, ArchiveOptions.folder],
        handler: handler { arguments, console in
            let id = arguments.text(document).flatMap { Int64($0) }
            let most = arguments.text(limit).flatMap { Int($0) } ?? 100
            let history = HistoryJSON(
                try await withArchive(arguments, .readOnly) {
                    try $0.history(of: id.map(DocumentID.init(rawValue:)), limit: most)
                })
            if arguments.isGiven(SharedOptions.json) {
                try console.json(history)
                return .done
            }
            var table = Table([
                .init("TIME"), .init("WHO"), .init("STATION"), .init("ACTION"),
                .init("DOCUMENT", isAlignedRight: true), .init("TITLE", minimumWidth: 10),
            ])
            for entry in history.entries {
                table.add([
                    entry.made, entry.name ?? "", entry.station, words(of: entry),
                    entry.document.description, entry.title,
                ])
            }
            try console.result(table.text(for: console.output))
            return .done
        })

    /// Such as "changed title, tags" or "sent to paperless".
    private static func words(of entry: HistoryJSON.Entry) -> String {
        if let sink = entry.sink { return "\(entry.action) to \(sink)" }
        guard let changes = entry.changes, !changes.isEmpty else { return entry.action }
        return "\(entry.action) \(changes.joined(separator: ", "))"
    }
}
