import CommandLine
import Detection
import Documents
import Listings
import ScanService
import Synchronization

/// Shows how a watch goes: a live line on a terminal, a line a page, or JSON.
final class WatchDisplay: Sendable {
    private struct State {
        var shown: LiveView?
        var isBackground = false
        var statistics: LiveStatistics?
        var failure: (any Error)?
    }

    private let console: Console
    private let isJSON: Bool
    private let line: LiveLine
    private let state = Mutex(State())

    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
        line = LiveLine(terminal: console.error) { _ = OutputStream.standardError.write($0) }
    }

    /// Where the frames' time went; nil before the end.
    var statistics: LiveStatistics? { state.withLock(\.statistics) }

    /// Why the JSON could not be written; nil while it can.
    var failure: (any Error)? { state.withLock(\.failure) }

    // MARK: The camera

    func show(_ event: LiveEvent) {
        if case .ended(let statistics) = event { state.withLock { $0.statistics = statistics } }
        if isJSON, isWorthTelling(event) { write(WatchJSON(event)) }
        switch event {
        case .seen(let view): line.show(words(view))
        case .capturing: line.show("capturing", isUrgent: true)
        case .captured(let page):
            if !console.isQuiet { line.ring() }
            let how = (page.isByHand ? " by hand" : "") + (page.isStill ? ", as a still" : "")
            say("Captured page \(page.number)\(how).")
        case .missed(_, let error): line.message(ErrorMessages.explain(error).text)
        case .lost(_, let error):
            line.message(ErrorMessages.explain(error).text)
            say("Pages so far are safe. Waiting for the camera; Ctrl-C ends.")
            line.show("lost: waiting for the camera", isUrgent: true)
        case .note(_, let text): note(text)
        case .back: say("The camera is back.")
        case .ended: line.finish()
        }
    }

    /// True but for views that say the same as the one before, of no page.
    private func isWorthTelling(_ event: LiveEvent) -> Bool {
        guard case .seen(let view) = event else { return true }
        return state.withLock { state in
            defer { state.shown = view }
            return view.quad != nil || view.status.state != state.shown?.status.state
                || view.status.reason != state.shown?.status.reason
        }
    }

    private func words(_ view: LiveView) -> String {
        let status = view.status
        var parts = [console.error.styled(status.state.rawValue, style(status.state))]
        if view.quad != nil { parts.append("\(Int(100 * status.confidence)) %") }
        if let sharpness = status.sharpness { parts.append("sharp \(Int(100 * sharpness)) %") }
        parts.append("\(tenths(view.rate))/s")
        parts.append(counted(view.pages, "page"))
        if let reason = status.reason { parts.append(reason.advice) }
        return parts.joined(separator: "  ")
    }

    private func style(_ state: LiveState) -> Terminal.Style {
        switch state {
        case .searching: .faint
        case .found: .yellow
        case .ready, .capturing: .green
        }
    }

    // MARK: The document

    func show(_ event: ScanEvent) {
        if isJSON { write(WatchJSON(event)) }
        switch event {
        case .opened(_, let name):
            say("Watching \(name). Ctrl-C ends and writes the document.")
        case .adjusted(let option, let asked, let got):
            say("\(option): the device has no \(asked) and took the nearest, \(got.words).")
        case .finished(let summary): finished(summary)
        case .completing: line.show("completing the files", isUrgent: true)
        case .undelivered(let failure): line.message(ErrorMessages.explain(failure.error).text)
        case .skipped, .expecting, .capturing, .captured, .delivered, .waitingForPaper,
            .turningStack, .collated, .continuing, .notReplaced, .began:
            break
        }
    }

    /// Says something its user should know.
    func note(_ text: String) { line.message(text) }

    /// Says that a stop was asked for, and how to stop at once.
    func stopping() {
        line.message("Stopping: finished pages are delivered. Press Ctrl-C again to stop at once.")
    }

    private func finished(_ summary: PageSummary) {
        let steps = summary.page.provenance.steps.filter { $0.changed || $0.name == "text" }
        let done = steps.isEmpty ? "as it came" : steps.map(\.summary).joined(separator: ", ")
        say("Page \(summary.page.number): \(done)")
        for problem in summary.page.problems {
            line.message("copystand: page \(summary.page.number): \(problem)")
        }
    }

    /// Says how it ended.
    func finish(_ outcome: ScanOutcome, showsStatistics: Bool) {
        line.finish()
        if case .deviceFailed(let error) = outcome.ending {
            console.warn(ErrorMessages.explain(error).text)
        }
        if outcome.pages.isEmpty {
            console.warn("No page was captured, so nothing was written.")
        }
        if let job = outcome.keptJob {
            console.warn(
                "The document is kept. When the cause is mended, deliver it with: copystand jobs resume \(job) -o FILE"
            )
        }
        if let continuation = outcome.continuation {
            console.warn(
                "The captured pages are kept; to let go of them: copystand jobs discard \(continuation.job)"
            )
        }
        if showsStatistics, !isJSON, let statistics { console.warn(statistics.words) }
        if !outcome.receipts.isEmpty {
            let words = outcome.pages.reduce(0) { $0 + $1.words }
            console.say("\(counted(outcome.pages.count, "page")), \(counted(words, "word"))")
        }
    }

    private func say(_ text: String) {
        if !console.isQuiet { line.message(text) }
    }

    private func write(_ json: WatchJSON?) {
        guard let json else { return }
        do {
            try console.result(json.line + "\n")
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }
}

extension LiveStatistics {
    /// The statistics as lines for people.
    var words: String {
        let share = seconds > 0 ? Double(frames) / seconds : 0
        var lines = [
            "\(counted(frames, "frame")) in \(tenths(seconds)) s (\(tenths(share))/s): looked at \(looked), "
                + "overtaken \(overtaken), dropped \(dropped), damaged \(damaged)"
        ]
        for stage in Stage.allCases {
            guard let time = times[stage] else { continue }
            lines.append(
                "\(stage.rawValue): \(time.count) times, \(hundredths(time.mean)) ms each, longest "
                    + "\(hundredths(1000 * time.longest)) ms")
        }
        return lines.joined(separator: "\n")
    }
}

/// A number with two digits after the point.
private func hundredths(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}
