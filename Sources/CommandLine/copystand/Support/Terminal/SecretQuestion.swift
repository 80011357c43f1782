import Glibc

/// Asks on the terminal for a secret, which is not shown there.
struct SecretQuestion {
    private let question: String

    /// A question, with the space after it.
    init(_ question: String) { self.question = question }

    /// The line that is typed, which is not shown; nil when there is no terminal or nothing was
    /// typed.
    func ask() -> String? {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return nil }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        write(question)
        let line = readLine()
        write("\n")
        return line
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes {
            Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }
}
