import CommandLine
import Detection
import Documents
import Listings
import LiveCapture
import ScanService
import Synchronization

/// Shows the progress of a watch: a live line on a terminal, one line per page, or JSON.
final class WatchDisplay: Sendable {
    private struct State {
        var shown: WatchJSON?
        /// The time of the last event.
        var time = 0.0
        var statistics: WatchJSON.Statistics?
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

    /// The reason why the JSON could not be written; nil without a failure.
    var failure: (any Error)? { state.withLock(\.failure) }

    // MARK: The camera

    func show(_ event: LiveEvent) {
        if let json = WatchJSON(event) { show(json) }
    }

    /// Shows an event of a camera, on this machine or another.
    func show(_ event: WatchJSON) {
        if let time = event.time { state.withLock { $0.time = time } }
        if isJSON, isWorthWriting(event) { write(event) }
        switch event.event {
        case "state" where event.state == LiveState.capturing.rawValue:
            line.show(FittedLine("capturing"), isUrgent: true)
        case "state": line.show(words(event))
        case "captured":
            if !console.isQuiet { line.ring() }
            let how =
                (event.byHand == true ? " by hand" : "")
                + (event.still == true ? ", as a still" : "")
            say("Captured page \(event.page ?? 0)\(how).")
        case "skipped": line.message("copystand: \(event.message ?? "a page was missed")")
        case "lost":
            line.message("copystand: \(event.message ?? "the camera is gone")")
            say("Pages so far are safe. Waiting for the camera; Ctrl-C ends.")
            line.show(FittedLine("lost: waiting for the camera"), isUrgent: true)
        case "note": note(event.message ?? "")
        case "back": say("The camera is back.")
        case "page": finished(event)
        case "stats":
            state.withLock { $0.statistics = event.statistics }
            line.finish()
        default: break
        }
    }

    /// False for a view without a page, if its state and reason are the same as before.
    private func isWorthWriting(_ event: WatchJSON) -> Bool {
        guard event.event == "state", event.confidence != nil else { return true }
        return state.withLock { state in
            defer { state.shown = event }
            return event.corners != nil || event.state != state.shown?.state
                || event.reason != state.shown?.reason
        }
    }

    /// The state, and the reason for waiting, are dropped last if the terminal is narrow.
    private func words(_ view: WatchJSON) -> FittedLine {
        let state = view.state ?? ""
        var line = FittedLine()
        line.add(state, need: 6, style: LiveState(rawValue: state).map(style))
        line.add(view.corners.map { _ in "\(percent(view.confidence ?? 0)) %" }, need: 3)
        line.add(view.sharpness.map { "sharp \(percent($0)) %" }, need: 2)
        line.add("\(tenths(bounded(view.rate ?? 0)))/s", need: 1)
        line.add(counted(view.pages ?? 0, "page"), need: 4)
        line.add(view.reason.map { WaitReason(rawValue: $0)?.advice ?? $0 }, need: 5)
        return line
    }

    private func percent(_ part: Double) -> Int { Int(100 * bounded(part)) }

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
        case .opened(_, let name, _):
            say("Watching \(name). Ctrl-C ends and writes the document.")
        case .waitingForDevice(let device, let user):
            say("\(device) is in use by \(user). Waiting until it is free. Ctrl-C ends the wait.")
        case .adjusted(let option, let asked, let got):
            say(
                "\(option): the device does not support \(asked); the nearest, \(got.words), is used."
            )
        case .finished(let summary): finished(summary)
        case .completing: line.show(FittedLine("completing the files"), isUrgent: true)
        case .undelivered(let failure): line.message(ErrorMessages.explain(failure.error).text)
        case .skipped, .expecting, .capturing, .captured, .delivered, .waitingForPaper,
            .turningStack, .collated, .askingForMore, .continuing, .notReplaced, .began:
            break
        }
    }

    /// Shows a sentence that the user should read.
    func note(_ text: String) { line.message(text) }

    /// Reports that a stop was requested, and how to stop immediately.
    func stopping() {
        line.message("Stopping: finished pages are delivered. Press Ctrl-C again to stop at once.")
    }

    private func finished(_ summary: PageSummary) {
        let page = PageLine(summary)
        say(page.text)
        for warning in page.warnings { line.message(warning) }
    }

    private func finished(_ page: WatchJSON) {
        let name = "Page \(page.page ?? 0)"
        say("\(name): \(counted(page.words ?? 0, "word"))")
        for problem in page.problems ?? [] { line.message("\(name): \(problem)") }
    }

    /// Reports that another host watches.
    func watching(_ host: String) {
        say("\(host) is watching. Ctrl-C ends it, and fetches the document.")
    }

    /// Removes the live line.
    func clear() { line.finish() }

    /// Shows the result.
    ///
    /// - Parameter host: the address of the host that watched; nil for this machine.
    func finish(_ result: ScanJSON, host: String? = nil, showsStatistics: Bool) {
        line.finish()
        let there = host.map { " --host \($0)" } ?? ""
        if let error = result.error { console.warn(error) }
        if result.pages.isEmpty {
            console.warn("No page was captured, so nothing was written.")
        }
        for line in KeptWords(result, there: there).lines { console.warn(line) }
        if let continuation = result.continuation, result.failed.isEmpty {
            console.warn(
                "The captured pages are kept; to delete them: copystand jobs discard\(there) \(continuation.job)"
            )
        }
        ScanEnding(console, host: host).writeSeparatorSheets(result)
        if showsStatistics, !isJSON, let statistics = state.withLock(\.statistics) {
            console.warn(statistics.words)
        }
        if !result.delivered.isEmpty {
            let words = result.pages.reduce(0) { $0 + $1.words }
            console.say("\(counted(result.pages.count, "page")), \(counted(words, "word"))")
        }
    }

    private func say(_ text: String) {
        if !console.isQuiet { line.message(text) }
    }

    private func write(_ json: WatchJSON?) {
        guard let json = json?.timed(state.withLock(\.time)) else { return }
        do {
            try console.result(json.line + "\n")
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }
}

extension WatchJSON.Statistics {
    /// The statistics as lines for people.
    var words: String {
        let share = seconds > 0 ? Double(frames) / seconds : 0
        var lines = [
            "\(counted(frames, "frame")) in \(tenths(bounded(seconds))) s (\(tenths(bounded(share)))/s): examined \(looked), overtaken \(overtaken), "
                + "dropped \(dropped), damaged \(damaged)"
        ]
        for stage in LiveStatistics.Stage.allCases {
            guard let time = stages[stage.rawValue] else { continue }
            lines.append(
                "\(stage.rawValue): \(time.count) times, \(hundredths(time.mean)) ms each, longest "
                    + "\(hundredths(time.longest)) ms")
        }
        return lines.joined(separator: "\n")
    }
}

/// A number with two digits after the point.
func hundredths(_ number: Double) -> String {
    let hundredths = Int((bounded(number) * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

/// A number from another host, limited to a thousandth of what fits an `Int`.
private func bounded(_ number: Double) -> Double { min(max(number, 0), 1e12) }
