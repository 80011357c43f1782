import CommandLine
import Synchronization

/// A line at the bottom of a terminal that is overwritten repeatedly, with messages above it.
///
/// Elsewhere there are only the messages. The line is redrawn at most ten times a second. Calls may
/// come from any thread.
final class LiveLine: Sendable {
    private struct State {
        var shown = FittedLine()
        var isDrawn = false
        var last: Duration?
    }

    private let terminal: Terminal
    private let now: @Sendable () -> Duration
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// A line that has not been drawn yet.
    init(
        terminal: Terminal, now: @escaping @Sendable () -> Duration = ProgressLine.steadyClock(),
        write: @escaping @Sendable (String) -> Void
    ) {
        self.terminal = terminal
        self.now = now
        self.write = write
    }

    /// Shows `line`, soon; `isUrgent` shows it immediately.
    func show(_ line: FittedLine, isUrgent: Bool = false) {
        guard terminal.isTerminal else { return }
        state.withLock { state in
            state.shown = line
            let time = now()
            if let last = state.last, !isUrgent, time - last < .milliseconds(100) { return }
            draw(&state, at: time)
        }
    }

    /// Writes a line for people above the live line.
    func message(_ text: String) {
        state.withLock { state in
            let wasDrawn = state.isDrawn
            erase(&state)
            write(Sanitized.line(text) + "\n")
            if wasDrawn { draw(&state, at: now()) }
        }
    }

    /// Rings the terminal's bell.
    func ring() {
        guard terminal.isTerminal else { return }
        state.withLock { _ in write("\u{7}") }
    }

    /// Removes the line.
    func finish() { state.withLock { erase(&$0) } }

    private func draw(_ state: inout State, at time: Duration) {
        // The last column stays free: some terminals wrap once it is written.
        let text = state.shown.text(
            for: terminal, width: max(10, terminal.currentWidth - 1))
        write("\r\(text)\u{1B}[K")
        state.isDrawn = true
        state.last = time
    }

    private func erase(_ state: inout State) {
        if state.isDrawn { write("\r\u{1B}[K") }
        state.isDrawn = false
    }
}
