import CommandLine
import Glibc

/// Asks a yes-or-no question on the terminal.
struct YesNoQuestion {
    private let console: Console

    init(_ console: Console) { self.console = console }

    /// True if the question was answered with yes; nil when there is no terminal to ask on.
    func ask(_ question: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, console.error.isTerminal else { return nil }
        _ = OutputStream.standardError.write(question + " [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
