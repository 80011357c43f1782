import BlockingWork
import Archive
import CommandLine
import Delivery
import HostClient
import Listings

/// `copystand export --original`: writes the PDFs that a document was imported from, unchanged.
enum ExportOriginal {
    static let original = Option(
        flag: "original",
        help: """
            Write the PDF that the document was imported from, byte for byte, whatever was changed \
            since. It keeps the name \
            that it was imported under.
            """,
        excludes: ["keep-blank", "pages"] + PDFArguments.all.map(\.name))

    static func run(
        _ arguments: ParsedArguments, _ outputs: [String], _ console: Console
    ) async throws -> ExitCode {
        let id = ArchiveOptions.document(arguments)
        let outputs: [String?] = outputs.isEmpty ? [nil] : outputs
        let written: [String]
        if let host = try HostOptions.connection(arguments, console) {
            written = try await onOwnThread {
                let whole = try host.get(
                    "/api/v1/documents/\(id.rawValue)", as: WholeDocumentJSON.self)
                let paths = try paths(
                    whole.originals?.map(\.name) ?? [], whole.document.title, id: id,
                    outputs: outputs)
                return try paths.map { number, path in
                    try host.fetch(original: number, of: id.rawValue, to: path).path
                }
            }
        } else {
            written = try await withArchive(arguments, .readOnly) { archive in
                let originals = try archive.originals(of: id)
                let paths = try paths(
                    originals.map(\.name), archive.summary(id).title, id: id, outputs: outputs)
                return try paths.map { number, path in
                    try archive.write(originals[number - 1], to: path)
                }
            }
        }
        for path in written { try console.result(path + "\n") }
        return .done
    }

    /// The number of each original file, from 1, and the path to write it to; refused before
    /// anything is written.
    private static func paths(
        _ names: [String], _ title: String, id: DocumentID, outputs: [String?]
    ) throws -> [(number: Int, path: String)] {
        guard !names.isEmpty else { throw OriginalNames.none(of: id.rawValue) }
        return try outputs.flatMap { output in
            let paths = try OriginalNames.paths(
                for: names, title: title, id: id.rawValue, in: output)
            return paths.enumerated().map { ($0.offset + 1, $0.element) }
        }
    }
}
