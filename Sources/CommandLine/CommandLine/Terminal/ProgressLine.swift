import Synchronization

/// Shows the progress of a job: one live line on a terminal, plain lines elsewhere.
///
/// The line is always on standard error. A terminal's line is redrawn at most ten times a second,
/// and messages appear above it. Elsewhere, a line is written after each page, at most one a
/// second, so that a log stays short. Calls may come from any thread.
public final class ProgressLine: Sendable {
    private struct State {
        var shown: Progress?
        var pending: Progress?
        var lastWrite: Duration?
        var isDrawn = false
    }

    private let terminal: Terminal
    private let start: Duration
    private let now: @Sendable () -> Duration
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// A progress line that is not drawn yet; the measurement of its pace begins now.
    ///
    /// - Parameters:
    ///   - terminal: the properties of the stream.
    ///   - now: A steady clock's time since any moment.
    ///   - write: Writes text to the stream; called one at a time.
    public init(
        terminal: Terminal, now: @escaping @Sendable () -> Duration = ProgressLine.steadyClock(),
        write: @escaping @Sendable (String) -> Void
    ) {
        self.terminal = terminal
        self.now = now
        self.write = write
        start = now()
    }

    /// The time since this call by the steady clock.
    public static func steadyClock() -> @Sendable () -> Duration {
        let origin = ContinuousClock.now
        return { ContinuousClock.now - origin }
    }

    /// Shows `progress` now, or with a later call if the line was drawn a moment ago.
    public func update(_ progress: Progress) {
        state.withLock { state in
            let time = now()
            let interval = terminal.isTerminal ? Duration.milliseconds(100) : .seconds(1)
            if let last = state.lastWrite, time - last < interval {
                state.pending = progress
                return
            }
            show(progress, at: time, &state)
        }
    }

    /// Writes a line for people above the progress line.
    public func message(_ text: String) {
        state.withLock { state in
            let isDrawn = state.isDrawn
            erase(&state)
            write(Sanitized.line(text) + "\n")
            if isDrawn, let progress = state.pending ?? state.shown {
                show(progress, at: now(), &state)
            }
        }
    }

    /// Removes the line from a terminal; otherwise writes the last state if it was not written yet.
    public func finish() {
        state.withLock { state in
            if terminal.isTerminal {
                erase(&state)
            } else if let progress = state.pending {
                show(progress, at: now(), &state)
            }
            state.pending = nil
        }
    }

    private func show(_ progress: Progress, at time: Duration, _ state: inout State) {
        defer { (state.shown, state.pending) = (progress, nil) }
        if terminal.isTerminal {
            write("\r\(drawn(progress, after: time - start))\u{1B}[K")
            state.isDrawn = true
        } else {
            guard progress.done != state.shown?.done ?? 0 else { return }
            write(plain(progress, after: time - start) + "\n")
        }
        state.lastWrite = time
    }

    private func erase(_ state: inout State) {
        if state.isDrawn { write("\r\u{1B}[K") }
        state.isDrawn = false
    }

    private func drawn(_ progress: Progress, after elapsed: Duration) -> String {
        var parts = [progress.pages]
        if let pace = progress.pace(after: elapsed) { parts.append(pace) }
        if !progress.detail.isEmpty { parts.append(Sanitized.line(progress.detail)) }
        let width = terminal.currentWidth
        let text = (bar(progress, width) + parts).joined(separator: "  ")
        // The last column stays free: some terminals wrap once it is written.
        return text.truncated(toWidth: max(10, width - 1))
    }

    private func bar(_ progress: Progress, _ width: Int) -> [String] {
        guard let fraction = progress.fraction, width >= 50 else { return [] }
        return [Self.bar(fraction)]
    }

    /// A bar of 20 columns, of which a fraction of 0 to 1 is full.
    public static func bar(_ fraction: Double) -> String {
        let cells = 20
        let full = Int(min(1, max(0, fraction)) * Double(cells))
        return String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
    }

    private func plain(_ progress: Progress, after elapsed: Duration) -> String {
        let detail = progress.detail.isEmpty ? "" : ": \(Sanitized.line(progress.detail))"
        let pace = progress.pace(after: elapsed).map { " (\($0))" } ?? ""
        return progress.pages + pace + detail
    }
}
