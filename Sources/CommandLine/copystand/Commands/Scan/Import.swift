import CommandLine
import JobOptions

/// `copystand import`: takes pages from files.
enum ImportCommand {
    static let paths = Argument(
        "PATH", .oneOrMore, .path,
        help:
            "A picture, PDF or folder; a folder's files are read in natural order. - is standard input.",
        completion: .files)

    static let command = Command(
        name: "import", summary: "Turn pictures, PDFs and folders into a document",
        discussion: """
            Reads JPEG, PNG, TIFF, PNM, WebP, HEIC, AVIF, GIF, BMP, JPEG 2000, JPEG XL, camera raw \
            (such as DNG) and PDF, in the order given, and makes one document of all pages. A file \
            that can't be read is reported, and the others are imported; the exit code is then 4. \
            This includes a file that crashes or blocks the program that reads it, or takes too \
            much memory. Other files in a folder, such as archives and texts, are named and left \
            out.

            \(ScanOptions.jsonHelp)
            """,
        examples: [
            Example(
                "Make photos of pages one searchable PDF",
                "copystand import IMG_*.jpg -o letter.pdf"),
            Example("Add text to a scanned PDF", "copystand import scan.pdf -o readable.pdf"),
            Example(
                "Split at every page with an archive number, and name documents by it",
                "copystand import pile.pdf --split-at 'ASN\\d+' -o '{name}.pdf'"),
            Example(
                "Both sides from a one-sided scanner, a file for each",
                "copystand import --collate fronts.pdf backs.pdf -o letter.pdf"),
            Example("Only the text, in German", "copystand import page.png -l deu -o page.txt"),
        ],
        arguments: [paths], options: ScanOptions.all(in: .import),
        handler: handler { arguments, console in
            try await runScan(try ScanArguments(.files(arguments.texts(paths)), arguments, console))
        })
}
