import CommandLine
import ScanService

/// What `scan` or `import` is asked to do, from the command line.
struct ScanArguments: Hashable, Sendable {
    /// Where the pages come from.
    enum Source: Hashable, Sendable {
        /// A device by name; the default one for nil.
        case device(String?)
        /// Files and folders in this order; `-` is standard input. Never empty.
        case files([String])
    }

    /// Where the password for encrypted files comes from.
    enum Password: Hashable, Sendable {
        /// There is none.
        case none
        /// The password itself.
        case text(String)
        /// The first line of a file; `-` is standard input.
        case file(String)

        /// Where a command line says.
        init(_ parsed: ParsedArguments) {
            self =
                parsed.text(ScanOptions.password).map(Password.text)
                ?? parsed.text(ScanOptions.passwordFile).map(Password.file) ?? .none
        }
    }

    /// The document to continue.
    enum Continued: Hashable, Sendable {
        /// None: a new one begins.
        case no
        /// The latest that can be.
        case latest
        /// The job of that name.
        case job(String)
    }

    /// Where the pages come from.
    var source: Source
    /// The document to continue.
    var continued = Continued.no
    /// The device's settings by their common names.
    var common = CommonSettings()
    /// Whether fronts and backs are scanned one after the other.
    var collates = false
    /// Whether scanning begins once there is paper.
    var waitsForPaper = false
    /// How a TIFF is compressed; nil for what fits the profile.
    var compression: ScanOrder.Compression?
    /// How PDFs are made.
    var pdf = PDFOrder()
    /// The profile's name.
    var profile: String
    /// The files to write, in the order given; empty when none was named.
    var outputs: [String]
    /// The named sinks that get the document, in the order given.
    var sinks: [String]
    /// The device's options to set, in the order given.
    var settings: [NamedValue]
    /// The most pages; nil for all.
    var pages: Int?
    /// Changes to the profile as `STEP=VALUE` or `STEP.OPTION=VALUE`, in the order given.
    var steps: [NamedValue]
    /// Steps to leave out.
    var removedSteps: [String]
    /// The password for encrypted files.
    var password: Password
    /// The document's title; nil for none.
    var title: String?
    /// The languages of the text instead of the profile's; empty for the profile's.
    var languages: [String]
    /// The folder that gets every page after each step; nil for none.
    var explanation: String?
    /// Whether blank pages are delivered.
    var keepsBlankPages = false
    /// Whether documents that the archive already has are not mentioned.
    var allowsDuplicates = false
    /// The tags that the document gets in the archive.
    var tags: [String] = []
    /// How long a page of a file may take, in seconds; nil for as long as usual.
    var pageTimeout: Double?
    /// Where the batch is split into documents.
    var splitting: SplitArguments
    /// Whether the result is printed as JSON.
    var isJSON: Bool
    /// Where output goes, including `--verbose`, `--quiet` and `--no-color`.
    var console: Console

    /// Reads them from a parsed command line.
    ///
    /// - Throws: ``UsageError`` for what only its meaning shows to be wrong.
    init(_ source: Source, _ parsed: ParsedArguments, _ console: Console) throws {
        typealias O = ScanOptions
        self.source = source
        profile = parsed.text(O.profile) ?? "document"
        outputs = parsed.texts(O.output)
        sinks = parsed.texts(O.sink)
        let strict = parsed.isGiven(ImportCommand.strict) ? NamedValue("strict=true") : nil
        settings = parsed.pairs(O.set) + [strict].compactMap { $0 }
        pages = parsed.integer(O.pages)
        steps = parsed.pairs(O.step)
        steps +=
            parsed.text(O.existingText).flatMap { NamedValue("text.existing=\($0)") }.map { [$0] }
            ?? []
        steps += O.readerChange(parsed)
        removedSteps = parsed.texts(O.withoutStep)
        password = Password(parsed)
        title = parsed.text(O.title)
        languages = parsed.texts(O.language)
        compression = parsed.text(O.compression).flatMap(ScanOrder.Compression.init)
        pdf = try PDFArguments.order(parsed)
        explanation = parsed.text(O.explain)
        keepsBlankPages = parsed.isGiven(O.keepBlank)
        allowsDuplicates = parsed.isGiven(O.allowDuplicates)
        splitting = try SplitArguments(parsed)
        pageTimeout = try parsed.text(ImportCommand.pageTimeout).map { text in
            guard let time = WatchArguments.time(text).map({ $0 / .seconds(1) }),
                ScanOrder.pageTimeouts.contains(time)
            else {
                throw UsageError(
                    .invalidValue(text, expected: "a time from 1s to 24h, such as 90s or 5m"),
                    argument: ImportCommand.pageTimeout.spelling, path: parsed.path)
            }
            return time
        }
        common = try CommonSettings(parsed)
        collates =
            parsed.isGiven(ScannerOptions.collate) || parsed.isGiven(ImportCommand.collate)
        if collates, case .files(let paths) = source, paths.count != 2 || paths.contains("-") {
            throw UsageError(
                .refused("needs two files, one with the fronts and one with the backs"),
                argument: ImportCommand.collate.spelling, path: parsed.path)
        }
        waitsForPaper = parsed.isGiven(ScannerOptions.waitForPaper)
        if parsed.isGiven(ScannerOptions.append) {
            continued = parsed.text(ScannerOptions.append).map(Continued.job) ?? .latest
        }
        isJSON = parsed.isGiven(SharedOptions.json)
        self.console = console
    }
}
