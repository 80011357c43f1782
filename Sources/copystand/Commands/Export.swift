import Archive
import CommandLine
import Delivery
import HostClient
import ScanService

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
            Example(
                "From another machine",
                "copystand export 12 --host https://scans.local:8470 -o a.pdf"),
            Example("As pictures, and its text", "copystand export 12 -o page.png -o text.txt"),
        ],
        arguments: [ArchiveOptions.id],
        options: [output] + PDFArguments.all + [ScanOptions.keepBlank, ArchiveOptions.folder]
            + HostOptions.all(without: ["archive"] + PDFArguments.passwords.map(\.name)),
        handler: handler { arguments, console in
            let outputs = arguments.texts(output)
            guard !outputs.isEmpty else {
                throw UsageError(
                    .missingValue(name: "FILE", next: nil), argument: "--output",
                    path: arguments.path)
            }
            let isWhole = arguments.isGiven(ScanOptions.keepBlank)
            let pdf = try PDFArguments.order(arguments)
            if let host = try HostOptions.connection(arguments, console) {
                for output in outputs { try HostConnection.checkOutput(output) }
                let id = ArchiveOptions.document(arguments).rawValue
                let paths = try await onOwnThread {
                    try outputs.map {
                        try host.bring(
                            id, to: $0, keepsBlankPages: isWhole, pdf: HostPDF(pdf).query
                        ).path
                    }
                }
                for path in paths { try console.result(path + "\n") }
                return .done
            }
            // Refused before anything is written: a name with an unknown ending.
            let options = try pdf.options()
            let sinks = try outputs.map { try SinkCatalog.sink(for: $0, fileOptions: options) }
            let receipts = try await withArchive(arguments, .readOnly) { archive in
                try sinks.map {
                    try archive.deliver(
                        ArchiveOptions.document(arguments), to: $0,
                        keepsBlankPages: isWhole)
                }
            }
            for note in receipts.flatMap({ $0.notes ?? [] }) { console.say(note) }
            for location in receipts.flatMap(\.locations) { try console.result(location + "\n") }
            return .done
        })
}
