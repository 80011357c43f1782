import BlockingWork
import Archive
import CommandLine
import Documents
import HostClient
import Listings

/// `copystand show`: everything known about a document.
enum ShowCommand {
    static let text = Option(flag: "text", short: "T", help: "Print the text of its pages.")

    static let command = Command(
        name: "show", summary: "Show an archived document",
        discussion: """
            "Delivered" lists where else the document went when it was scanned, or later from the \
            outbox. "Original" is a \
            PDF that it was imported from, which 'copystand export ID --original' writes as it was.

            With --json the result is an object with "document", "note", "fields", "entries", \
            "pages" (with --text their \
            text too), how many changes are "undoable" and "redoable", "receipts" ("sink", \
            "place", "made", "hash" as \
            SHA-256, "remoteID"), "originals" ("name", "type", "bytes", "hash"), "selectedPages" \
            and "selectedEntries".
            """,
        examples: [
            Example("Show the metadata", "copystand show 12"),
            Example("Show the text", "copystand show 12 --text"),
        ],
        arguments: [ArchiveOptions.id],
        options: [text, SharedOptions.json, ArchiveOptions.folder]
            + HostOptions.all(without: ["archive"]),
        handler: handler { arguments, console in
            let withText = arguments.isGiven(text)
            let id = ArchiveOptions.document(arguments)
            let document =
                if let host = try HostOptions.connection(arguments, console) {
                    try await onOwnThread {
                        try host.get(
                            "/api/v1/documents/\(id)", [("text", "\(withText)")],
                            as: WholeDocumentJSON.self)
                    }
                } else {
                    WholeDocumentJSON(
                        try await withArchive(arguments, .readOnly) { try $0.document(id) },
                        withText: withText)
                }
            if arguments.isGiven(SharedOptions.json) {
                try console.json(document)
            } else if withText {
                let pages = document.pages.map { $0.text ?? "" }
                try console.result(
                    pages.map { page in
                        page.split(separator: "\n", omittingEmptySubsequences: false)
                            .map { Sanitized.line(String($0)) + "\n" }.joined()
                    }.joined(separator: "\u{0C}"))
            } else {
                try show(document, console)
            }
            return .done
        })

    private static func show(_ document: WholeDocumentJSON, _ console: Console) throws {
        let summary = document.document
        var rows: [(String, String)] = [
            ("Title", summary.title), ("Type", summary.type.rawValue),
            ("Scanned", day(summary.created)),
            ("Changed", day(summary.changed)),
        ]
        if let trashed = summary.trashed {
            rows.append(("In the trash since", day(trashed)))
        }
        if let owner = summary.owner { rows.append(("Owner", owner)) }
        if let language = summary.language { rows.append(("Language", language)) }
        if !summary.tags.isEmpty { rows.append(("Tags", summary.tags.joined(separator: ", "))) }
        if !document.note.isEmpty { rows.append(("Note", document.note)) }
        rows += document.fields.map { ($0.name, $0.value) }
        for entry in document.entries {
            let fields = entry.fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            let page = document.pages.first { $0.id == entry.page }?.number
            let mark = document.selectedEntries.contains(entry.id) ? ", selected" : ""
            rows.append(
                ("Entry \(entry.id)", fields + (page.map { " (page \($0))" } ?? "") + mark))
        }
        for receipt in document.receipts {
            let remote = receipt.remoteID.map { " as \($0)" } ?? ""
            let sink = receipt.place.hasSuffix(receipt.sink) ? "" : "\(receipt.sink): "
            rows.append(
                (
                    "Delivered",
                    "\(sink)\(receipt.place)\(remote), \(day(receipt.made))"
                ))
        }
        for original in document.originals ?? [] {
            rows.append(("Original", "\(original.name), \(original.bytes) bytes"))
        }
        rows.append(("Reviewed", summary.reviewed ? "yes" : "no"))
        if document.undoable > 0 || document.redoable > 0 {
            rows.append(
                (
                    "Changes",
                    "\(document.undoable) to undo, \(document.redoable) to redo"
                ))
        }
        let width = rows.map(\.0.displayWidth).max() ?? 0
        for (name, value) in rows {
            let shown = Sanitized.line(name).padded(toWidth: width)
            try console.result("\(console.output.styled(shown, .bold))  \(Sanitized.line(value))\n")
        }
        try console.result("\n" + PagesCommand.table(document).text(for: console.output))
    }

    private static func day(_ moment: String) -> String {
        CalendarDay.text(of: seconds(ofMoment: moment))
    }
}
