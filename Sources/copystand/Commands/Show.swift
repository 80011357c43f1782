import Archive
import CommandLine
import Documents
import Listings

/// `copystand show`: all that is known of a document.
enum ShowCommand {
    static let text = Option(flag: "text", short: "T", help: "Print the text of its pages.")

    static let command = Command(
        name: "show", summary: "Show an archived document",
        discussion: """
            "Delivered" says where else the document went when it was scanned, or later from the outbox.

            With --json the result is an object with "document", "note", "fields", "entries", "pages" (with --text their \
            text too), how many changes are "undoable" and "redoable", "receipts" ("sink", "place", "made", "hash" as \
            SHA-256, "remoteID"), "selectedPages" and "selectedEntries".
            """,
        examples: [
            Example("What is known of it", "copystand show 12"),
            Example("What is written on it", "copystand show 12 --text"),
        ],
        arguments: [ArchiveOptions.id], options: [text, SharedOptions.json, ArchiveOptions.folder],
        handler: handler { arguments, console in
            let document = try await withArchive(arguments, .readOnly) {
                try $0.document(ArchiveOptions.document(arguments))
            }
            let withText = arguments.isGiven(text)
            if arguments.isGiven(SharedOptions.json) {
                try console.json(WholeDocumentJSON(document, withText: withText))
            } else if withText {
                let pages = document.pages.map { $0.page.text?.plainText ?? "" }
                try console.result(
                    pages.map { page in
                        page.split(separator: "\n", omittingEmptySubsequences: false)
                            .map { Sanitised.line(String($0)) + "\n" }.joined()
                    }.joined(separator: "\u{0C}"))
            } else {
                try show(document, console)
            }
            return .done
        })

    private static func show(_ document: ArchivedDocument, _ console: Console) throws {
        let summary = document.summary
        var rows: [(String, String)] = [
            ("Title", summary.title), ("Type", summary.type.rawValue),
            ("Scanned", CalendarDay.text(of: summary.created)),
            ("Changed", CalendarDay.text(of: summary.changed)),
        ]
        if let trashed = summary.trashed {
            rows.append(("In the trash since", CalendarDay.text(of: trashed)))
        }
        if let language = summary.language { rows.append(("Language", language)) }
        if !summary.tags.isEmpty { rows.append(("Tags", summary.tags.joined(separator: ", "))) }
        if !document.review.note.isEmpty { rows.append(("Note", document.review.note)) }
        rows += document.review.fields.map { ($0.name, $0.value) }
        for entry in document.review.entries {
            let fields = entry.fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            let page = entry.page.flatMap { document.review.number(of: $0) }
            let mark = document.review.selectedEntries.contains(entry.id) ? ", selected" : ""
            rows.append(
                ("Entry \(entry.id)", fields + (page.map { " (page \($0))" } ?? "") + mark))
        }
        for receipt in document.receipts {
            let remote = receipt.remoteID.map { " as \($0)" } ?? ""
            let sink = receipt.place.hasSuffix(receipt.sink) ? "" : "\(receipt.sink): "
            rows.append(
                (
                    "Delivered",
                    "\(sink)\(receipt.place)\(remote), \(CalendarDay.text(of: receipt.made))"
                ))
        }
        rows.append(("Reviewed", summary.isSaved ? "yes" : "no"))
        if document.undoable + document.redoable > 0 {
            rows.append(
                (
                    "Changes",
                    "\(document.undoable) to undo, \(document.redoable) to redo"
                ))
        }
        let width = rows.map(\.0.displayWidth).max() ?? 0
        for (name, value) in rows {
            let shown = Sanitised.line(name).padded(toWidth: width)
            try console.result("\(console.output.styled(shown, .bold))  \(Sanitised.line(value))\n")
        }
        try console.result("\n" + PagesCommand.table(document).text(for: console.output))
    }
}
