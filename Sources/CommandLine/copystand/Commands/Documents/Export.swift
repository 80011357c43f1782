import BlockingWork
import Listings
import Archive
import CommandLine
import Delivery
import Documents
import HostClient
import JobOptions
import ScanService

/// `copystand export`: writes an archived document to files.
enum ExportCommand {
    static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: """
            Write the document here. The extension chooses the format, as for 'copystand scan'. If \
            this is a folder, the file is a PDF named by the document's title. An existing file is \
            never overwritten. The current folder unless given.
            """,
        isRepeated: true, completion: .files)

    static let pages = Option(
        "pages", value: "LIST", .text,
        help: """
            Write only these pages, such as 2,5 or 3-7, in the document's order and even if they \
            are blank.
            """)

    static let command = Command(
        name: "export", summary: "Write an archived document to files",
        discussion: """
            The pages are written as they are now: in their current order, turned and cut, with \
            corrected text. The archive keeps what was captured. Pages marked as blank are left \
            out unless --keep-blank is given.

            Unchanged pages of an imported PDF are taken from it, with their fonts, links and \
            pictures. Changed ones become pictures, and the command says which. --original writes \
            the PDF itself.
            """,
        examples: [
            Example("As a searchable PDF, named by its title", "copystand export 12"),
            Example("Under another name", "copystand export 12 -o invoice.pdf"),
            Example(
                "From another machine",
                "copystand export 12 --host https://scans.local:8470 -o a.pdf"),
            Example("Some pages of it", "copystand export 12 --pages 2,5-7 -o part.pdf"),
            Example("The PDF that was imported, as it was", "copystand export 12 --original"),
            Example("As pictures, and its text", "copystand export 12 -o page.png -o text.txt"),
        ],
        arguments: [ArchiveOptions.id],
        options: [output, pages, ExportOriginal.original] + PDFArguments.all + [
            ArchiveOptions.folder
        ] + Option.of(.export)
            + HostOptions.all(without: ["archive"] + PDFArguments.passwords.map(\.name)),
        handler: handler { arguments, console in
            if arguments.isGiven(ExportOriginal.original) {
                return try await ExportOriginal.run(arguments, arguments.texts(output), console)
            }
            let isWhole = try GivenJobOptions(arguments).settings[.keepsBlankPages]
            let numbers = try pageNumbers(arguments)
            let pdf = try PDFArguments.order(arguments)
            if let host = try HostOptions.connection(arguments, console) {
                let outputs = try await outputs(arguments) { id in
                    try await onOwnThread {
                        try host.get("/api/v1/documents/\(id.rawValue)", as: Titled.self).title
                    }
                }
                for output in outputs { try HostConnection.checkOutput(output) }
                let id = ArchiveOptions.document(arguments).rawValue
                let paths = try await onOwnThread {
                    try outputs.map {
                        try host.fetch(
                            id, to: $0, pages: arguments.text(pages), keepsBlankPages: isWhole,
                            pdf: PDFRequest(pdf).query
                        ).path
                    }
                }
                for path in paths { try console.result(path + "\n") }
                return .done
            }
            let outputs = try await outputs(arguments) { id in
                try await withArchive(arguments, .readOnly) { try $0.summary(id).title }
            }
            // Refused before anything is written: a name with an unknown ending.
            let options = try pdf.options()
            let sinks = try outputs.map { try Outputs.sink(for: $0, fileOptions: options) }
            let receipts = try await withArchive(arguments, .readOnly) { archive in
                try sinks.map {
                    try archive.deliver(
                        ArchiveOptions.document(arguments), to: $0, pages: numbers,
                        keepsBlankPages: isWhole)
                }
            }
            for note in receipts.flatMap({ $0.notes ?? [] }) { console.say(note) }
            for location in receipts.flatMap(\.locations) { try console.result(location + "\n") }
            return .done
        })

    private static func pageNumbers(_ arguments: ParsedArguments) throws -> PageNumbers? {
        guard let text = arguments.text(pages) else { return nil }
        guard let numbers = PageNumbers(text) else {
            throw UsageError(
                .invalidValue(text, expected: PageNumbers.examples), argument: pages.spelling,
                path: arguments.path)
        }
        return numbers
    }

    /// The facts about another host's document that the command needs.
    private struct Titled: Decodable {
        var title: String
    }

    /// The files to write: the named ones, and one with the document's title in each named folder.
    private static func outputs(
        _ arguments: ParsedArguments, title: (DocumentID) async throws -> String
    ) async throws -> [String] {
        let given = arguments.texts(output)
        guard given.isEmpty || given.contains(where: OriginalNames.isFolder) else { return given }
        let id = ArchiveOptions.document(arguments)
        let name = DocumentName(
            title: try await title(id), id: id.rawValue, pages: try pageNumbers(arguments),
            ending: "pdf")
        if given.isEmpty { return [name.path(in: nil)] }
        return given.map { OriginalNames.isFolder($0) ? name.path(in: $0) : $0 }
    }
}
