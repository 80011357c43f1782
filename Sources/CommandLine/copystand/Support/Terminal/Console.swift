import CommandLine
import FileNames
import FoundationEssentials
import Glibc

/// A command's output streams: results go to standard output, messages to standard error.
struct Console: Hashable, Sendable {
    /// True when `--verbose` was given.
    let isVerbose: Bool
    /// True when `--quiet` was given.
    let isQuiet: Bool
    /// The properties of standard output.
    let output: Terminal
    /// The properties of standard error.
    let error: Terminal

    /// The console for a run with these arguments; without any options by default.
    init(_ arguments: ParsedArguments? = nil) {
        isVerbose = arguments?.isGiven(GlobalOptions.verbose) ?? false
        isQuiet = arguments?.isGiven(GlobalOptions.quiet) ?? false
        var output = Terminal(descriptor: 1)
        var error = Terminal(descriptor: 2)
        if arguments?.isGiven(GlobalOptions.noColor) ?? false {
            output.hasColor = false
            error.hasColor = false
        }
        self.output = output
        self.error = error
    }

    /// Writes a result to standard output. A terminal gets names in a form that can be shown;
    /// anything else gets their own bytes.
    ///
    /// - Throws: ``OutputFailure``, such as for a full disk.
    // Swift 6.3.1 crashes in the coroutines of callers where this or `json` is inlined.
    @inline(never)
    func result(_ text: String) throws(OutputFailure) {
        let bytes =
            output.isTerminal ? Array(FileNames.shown(text).utf8) : FileNames.bytes(text)
        if let code = OutputStream.standardOutput.write(bytes) {
            throw OutputFailure(
                message:
                    "the result can't be written to standard output: \(String(cString: strerror(code)))"
            )
        }
    }

    /// Writes a result to standard output as JSON: indented, keys sorted, a line break at the end.
    @inline(never)
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try result(SafeJSON.text(encoder.encode(value)) + "\n")
    }

    /// Shows a message, unless `--quiet` was given.
    func say(_ text: String) { if !isQuiet { warn(text) } }

    /// Shows a message, even with `--quiet`; lines within `text` stay lines.
    ///
    /// Nothing can be done if standard error can't be written, so a failure is ignored.
    func warn(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Sanitized.line(String($0)) + "\n" }
        _ = OutputStream.standardError.write(lines.joined())
    }

    /// Shows a drawing of the program's own, which keeps its colors, unless `--quiet` is given.
    func draw(_ text: String) {
        if !isQuiet { _ = OutputStream.standardError.write(text + "\n") }
    }

    /// Reports a problem without ending the command.
    func warn(_ error: any Error) { warn(ErrorMessages.explain(error).text) }
}

/// Standard output can't be written.
struct OutputFailure: Error {
    /// The failure, for people.
    let message: String
}
