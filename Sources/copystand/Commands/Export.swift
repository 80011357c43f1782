import Archive
import CommandLine
import Delivery

/// `copystand export`: writes an archived document to files.
enum ExportCommand {
    static let output = Option(
        "output", short: "o", value: "FILE", .name,
        help: """
            Write the document here; the ending chooses the format, as for 'copystand scan'. An existing file is never \
            overwritten.
            """,
        isRepeated: true, completion: .files)

    static let command = Command(
        name: "export", summary: "Write an archived document to files",
        discussion: """
            The pages are written as they are now: in their order, turned and cut, with corrected text. The archive keeps \
            what was captured. Pages marked as blank are left out unless --keep-blank is given.
            """,
        examples: [
            Example("As a searchable PDF", "copystand export 12 -o invoice.pdf"),
            Example("As pictures, and its text", "copystand export 12 -o page.png -o text.txt"),
        ],
        arguments: [ArchiveOptions.id],
        options: [output, ScanOptions.keepBlank, ArchiveOptions.folder],
        handler: handler { arguments, console in
            let outputs = arguments.texts(output)
            guard !outputs.isEmpty else {
                throw UsageError(
                    .missingValue(name: "FILE", next: nil), argument: "--output",
                    path: arguments.path)
            }
            // Refused before anything is written: a name with an unknown ending.
            let sinks = try outputs.map { try SinkCatalog.sink(for: $0) }
            let keepsBlankPages = arguments.isGiven(ScanOptions.keepBlank)
            let receipts = try await withArchive(arguments, .readOnly) { archive in
                try sinks.map {
                    try archive.deliver(
                        ArchiveOptions.document(arguments), to: $0,
                        keepsBlankPages: keepsBlankPages)
                }
            }
            for location in receipts.flatMap(\.locations) { try console.result(location + "\n") }
            return .done
        })
}
