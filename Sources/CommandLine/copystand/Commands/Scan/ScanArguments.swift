import CommandLine
import JobOptions
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
    /// The settings of PDFs.
    var pdf = PDFOrder()
    /// The files to write, in the order given; empty when none was named.
    var outputs: [String]
    /// The password for encrypted files.
    var password: Password
    /// The folder that gets every page after each step; nil for none.
    var explanation: String?
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
        outputs = parsed.texts(O.output)
        password = Password(parsed)
        pdf = try PDFArguments.order(parsed)
        explanation = parsed.text(O.explain)
        if request.options[.collates], case .files(let paths) = source,
            paths.count != 2 || paths.contains("-")
        {
            throw UsageError(
                .refused("needs two files, one with the fronts and one with the backs"),
                argument: JobOption.collates.spelling, path: parsed.path)
        }
        if parsed.isGiven(ScannerOptions.append) {
            continued = parsed.text(ScannerOptions.append).map(Continued.job) ?? .latest
        }
        isJSON = parsed.isGiven(SharedOptions.json)
        self.console = console
    }
}
