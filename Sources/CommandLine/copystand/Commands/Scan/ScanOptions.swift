import CommandLine
import Recognition
import ScanService

/// The options that `scan` and `import` share.
enum ScanOptions {
    static let profile = Option(
        "profile", short: "p", value: "NAME", .name,
        help: "What to do with the pages; 'copystand profiles list' lists the profiles.",
        default: "document", completion: .dynamic("profiles"))
    static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: """
            Write the document here. The extension chooses the format: .pdf (searchable), .tiff, \
            .png, .jpg or .webp (one file per page), .txt, .csv (the tables), .hocr, .alto.xml, \
            .json. An existing file is never overwritten. Without it the document goes into the \
            archive.
            """,
        isRepeated: true, completion: .files)
    static let sink = Option(
        "sink", value: "NAME", .name,
        help: """
            Send the document to this sink; 'copystand sinks' lists them. It is kept in the outbox \
            until the sink has it.
            """,
        isRepeated: true, completion: .dynamic("sinks"))
    static let set = Option(
        "set", short: "s", value: "OPTION=VALUE", .pair,
        help: "Set an option of the device; 'copystand options DEVICE' lists them.",
        isRepeated: true)
    static let pages = Option(
        "pages", short: "n", value: "N", .integer(1...100_000), help: "Stop after N pages.")
    static let step = Option(
        "step", value: "STEP=VALUE", .pair,
        help: """
            Change a step of the profile: STEP=on, STEP=off, or STEP.OPTION=VALUE, such as \
            deskew.maximum=5.
            """,
        isRepeated: true, completion: .dynamic("steps"))
    static let withoutStep = Option(
        "no-step", value: "STEP", .name, help: "Leave out a step of the profile.",
        isRepeated: true, completion: .dynamic("step-names"))
    static let passwordFile = Option(
        "password-file", value: "FILE", .path,
        help:
            "Open encrypted files with the password on the first line of FILE; - is standard input.",
        completion: .files, excludes: ["password"])
    static let password = Option(
        "password", value: "PASSWORD",
        help:
            "The password itself. Other users may see it in the list of processes.",
        excludes: ["password-file"])
    static let title = Option(
        "title", short: "t", value: "TITLE", help: "The document's title.")
    static let language = Option(
        "language", short: "l", value: "LANGUAGE", .name,
        help: "A language of the text, such as eng or deu, instead of the profile's.",
        isRepeated: true, completion: .dynamic("languages"))

    static let reader = Option(
        "reader", value: "READER", .name,
        help:
            "What reads the text: auto, tesseract, or another that 'copystand readers' lists.",
        completion: .dynamic("readers"))

    /// The change of the profile that ``reader`` stands for.
    static func readerChange(_ parsed: ParsedArguments) -> [NamedValue] {
        parsed.text(reader).flatMap { NamedValue("text.reader=\($0)") }.map { [$0] } ?? []
    }

    static let compression = Option(
        "compression", value: "HOW", .choice(ScanOrder.Compression.allCases.map(\.rawValue)),
        help: """
            How to compress a .tiff: none (the fastest, pixels as they are) or lossless. Unless \
            given: none with a profile that changes nothing, otherwise lossless.
            """)

    static let explain = Option(
        "explain", value: "FOLDER", .path,
        help: """
            Write every page after each step into this folder, with a report that says why each \
            step did what it did.
            """,
        completion: .files)
    static let existingText = Option(
        "existing-text", value: "WHAT", .choice(["keep", "redo", "drop"]),
        help: """
            What to do with text that a PDF's page already has: keep it and read only pages \
            without text (the default), redo it, or drop it and leave the page without text.
            """)
    static let keepBlank = Option(
        flag: "keep-blank",
        help: "Keep blank pages, which are otherwise left out of files.")

    static let process = Option(
        "process", value: "WHERE", .choice(ScanOrder.Processing.allCases.map(\.rawValue)),
        help: """
            Where the pages are processed and read: here (the default), later by a worker of the \
            shared archive ('copystand work'), or by a worker in bulk, after all jobs that were \
            left with 'later'.
            """)

    /// The place where pages are processed, from the command line; nil if it is not given.
    static func processing(_ parsed: ParsedArguments) -> ScanOrder.Processing? {
        parsed.text(process).flatMap(ScanOrder.Processing.init)
    }

    static let allowDuplicates = Option(
        flag: "allow-duplicates",
        help: "Don't mention documents that the archive already has.")

    static let splitAt = Option(
        "split-at", value: "MARK", .name,
        help: """
            Begin a new document at every separator ('copystand separator' makes the sheets), at \
            every patch-t sheet of other programs, or at every page with a barcode whose text \
            matches this regular expression, such as 'ASN\\d+'. In -o, {name} stands for what the \
            barcode says, or its group (?P<name>…), and {n} for the document's number; without \
            either, the number comes before the extension.
            """,
        isRepeated: true, completion: .dynamic("split-marks"))
    static let splitPage = Option(
        "split-page", value: "WHAT", .choice(SplitPages.allCases.map(\.rawValue)),
        help: """
            What to do with the pages at which a stack is split: auto leaves out separator sheets \
            and keeps other pages in the document they begin, keep keeps the sheets too, drop \
            leaves out all of them.
            """,
        default: SplitPages.auto.rawValue)

    /// Both options of splitting, which `watch` has as well.
    static let splitting = [splitAt, splitPage]

    /// All options in the order of the help, with `--set` and `--pages`.
    static let all =
        [
            profile, output, sink, set, pages, step, withoutStep, passwordFile, password, title,
            language, reader, compression,
        ] + PDFArguments.all + [explain, keepBlank, allowDuplicates, existingText] + splitting + [
            SharedOptions.json
        ]

    /// The description of both commands' JSON in their help.
    static let jsonHelp = """
        With --json the result is one object: the documents that were delivered with their files \
        and pages, each page \
        with its steps and problems.
        """
}
