import CommandLine
import Listings
import ScanService

/// The arguments of `scan` or `import`.
struct ScanArguments: Sendable {
    /// The source of pages.
    enum Source: Hashable, Sendable {
        /// A device by name; the default one for nil.
        case device(String?)
        /// Files and folders in this order; `-` is standard input. Never empty.
        case files([String])
    }

    /// The source of the password for encrypted files.
    enum Password: Hashable, Sendable {
        /// No password.
        case none
        /// A password on the command line.
        case text(String)
        /// The first line of a file; `-` is standard input.
        case file(String)

        /// The source that a command line names.
        init(_ parsed: ParsedArguments) {
            self =
                parsed.text(ScanOptions.password).map(Password.text)
                ?? parsed.text(ScanOptions.passwordFile).map(Password.file) ?? .none
        }
    }

    /// The document to continue.
    enum Continued: Hashable, Sendable {
        /// No job is continued; a new one begins.
        case no
        /// The latest one that can be continued.
        case latest
        /// The job with that name.
        case job(String)
    }

    /// The source of pages.
    var source: Source
    /// The document to continue.
    var continued = Continued.no
    /// The request in the form for a host.
    var request: ScanRequest
    /// True if fronts and backs are scanned one after the other.
    var collates = false
    /// The compression of a TIFF; nil for the profile's default.
    var compression: ScanOrder.Compression?
    /// The settings of PDFs.
    var pdf = PDFOrder()
    /// The files to write, in the order given; empty when none was named.
    var outputs: [String]
    /// The password for encrypted files.
    var password: Password
    /// The folder that gets every page after each step; nil for none.
    var explanation: String?
    /// True if blank pages are delivered.
    var keepsBlankPages = false
    /// The place where pages are processed: here or by workers.
    var processing = ScanOrder.Processing.here
    /// True if documents that the archive already has are not mentioned.
    var allowsDuplicates = false
    /// The tags that the document gets in the archive.
    var tags: [String] = []
    /// True if the result is printed as JSON.
    var isJSON: Bool
    /// The output streams, according to `--verbose`, `--quiet` and `--no-color`.
    var console: Console

    /// Reads the settings from a parsed command line.
    ///
    /// - Throws: ``UsageError`` for values that are valid alone but make no sense together.
    init(_ source: Source, _ parsed: ParsedArguments, _ console: Console) throws {
        typealias O = ScanOptions
        self.source = source
        request = try ScanRequest(parsed)
        if case .device(let name) = source { request.device = name }
        let sinks = parsed.texts(O.sink)
        request.sinks = sinks.isEmpty ? nil : sinks
        if parsed.isGiven(ImportCommand.strict) {
            request.settings?.list.append(.init(option: "strict", value: "true"))
        }
        if let existing = parsed.text(O.existingText) { request.steps?["text.existing"] = existing }
        outputs = parsed.texts(O.output)
        password = Password(parsed)
        compression = parsed.text(O.compression).flatMap(ScanOrder.Compression.init)
        pdf = try PDFArguments.order(parsed)
        explanation = parsed.text(O.explain)
        keepsBlankPages = parsed.isGiven(O.keepBlank)
        processing = O.processing(parsed) ?? .here
        allowsDuplicates = parsed.isGiven(O.allowDuplicates)
        request.pageTimeout = try parsed.text(ImportCommand.pageTimeout).map { text in
            guard let time = WatchArguments.time(text).map({ $0 / .seconds(1) }),
                ScanOrder.pageTimeouts.contains(time)
            else {
                throw UsageError(
                    .invalidValue(text, expected: "a time from 1s to 24h, such as 90s or 5m"),
                    argument: ImportCommand.pageTimeout.spelling, path: parsed.path)
            }
            return time
        }
        collates =
            parsed.isGiven(ScannerOptions.collate) || parsed.isGiven(ImportCommand.collate)
        if collates, case .files(let paths) = source, paths.count != 2 || paths.contains("-") {
            throw UsageError(
                .refused("needs two files, one with the fronts and one with the backs"),
                argument: ImportCommand.collate.spelling, path: parsed.path)
        }
        request.waitsForPaper = parsed.isGiven(ScannerOptions.waitForPaper)
        if parsed.isGiven(ScannerOptions.append) {
            continued = parsed.text(ScannerOptions.append).map(Continued.job) ?? .latest
        }
        isJSON = parsed.isGiven(SharedOptions.json)
        self.console = console
    }
}
