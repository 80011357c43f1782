import CommandLine

/// The lines about a job for people, with a live one below them on a terminal.
struct JobLines: Sendable {
    let console: Console
    private let progress: ProgressLine
    private let elapsed = ProgressLine.steadyClock()

    init(_ console: Console) {
        self.console = console
        progress = ProgressLine(terminal: console.error) {
            _ = OutputStream.standardError.write($0)
        }
    }

    /// Seconds since the job began.
    var seconds: Double { elapsed() / .seconds(1) }

    /// Writes a line, whatever the verbosity.
    func write(_ text: String) { progress.message(text) }

    /// Writes a line, unless the user requested quiet.
    func say(_ text: String) {
        if !console.isQuiet { progress.message(text) }
    }

    /// Draws the live line, where there is a terminal.
    func show(_ now: Progress) {
        guard !console.isQuiet, console.error.isTerminal else { return }
        progress.update(now)
    }

    /// Removes the live line.
    func clear() { progress.finish() }
}
