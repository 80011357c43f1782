import CaptureHost
import CommandLine
import Delivery
import ExpectedFailures
import FileNames
import FoundationEssentials
import Listings
import ScanService
import Synchronization

/// Shows the watch of a scanner: the reason for waiting, and each job as `scan` shows it, or JSON.
final class ScannerWatchDisplay: Sendable {
    private struct State {
        var job: ScanDisplay?
        var failure: (any Error)?
        var isWritten = false
    }

    private let console: Console
    private let isJSON: Bool
    private let elapsed = ProgressLine.steadyClock()
    private let state = Mutex(State())

    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// The reason why the result could not be written; nil without a failure.
    var failure: (any Error)? { state.withLock(\.failure) }

    func show(_ event: ScannerWatchEvent) {
        if isJSON { writeJSON(event) } else { say(event) }
    }

    /// Reports that a stop was requested.
    func stopping() {
        console.say(
            state.withLock(\.job) == nil
                ? "The watch is over."
                : "Stopping: finished pages are delivered. Press Ctrl-C again to stop at once.")
    }

    private func say(_ event: ScannerWatchEvent) {
        switch event {
        case .waiting(let name, let sensors):
            let isFirst = state.withLock { state in
                defer { state.isWritten = true }
                return !state.isWritten
            }
            let what = sensors.isEmpty ? "the space bar or Enter" : sensors.joined(separator: ", ")
            console.say(
                isFirst
                    ? "Watching \(name): a job begins with \(what). Ctrl-C ends."
                    : "Waiting for the next.")
        case .triggered(let trigger, let job):
            console.say("Job \(job): \(trigger.sentence).")
            state.withLock { $0.job = ScanDisplay(console) }
        case .scan(let event): state.withLock(\.job)?.show(event)
        case .ended(_, let outcome):
            let display = state.withLock { state in
                defer { state.job = nil }
                return state.job
            }
            display?.finish(ScanJSON(outcome))
            for location in outcome.receipts.flatMap(\.locations) { write(location + "\n") }
        case .refused(_, let error):
            state.withLock { state in
                defer { state.job = nil }
                return state.job
            }?.clear()
            console.warn(error)
        case .lost(let error):
            console.warn(error)
            console.say("Waiting for the scanner to come back. Ctrl-C ends.")
        case .back: console.say("The scanner is back.")
        }
    }

    private func write(_ text: String) {
        do {
            try console.result(text)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    // MARK: JSON

    /// A line of `watch --json`; fields that do not belong to an event are left out.
    private struct Line: Encodable {
        var event: String
        /// Seconds since the watch began.
        var time: Double
        var job: Int?
        var device: String?
        var sensors: [String]?
        /// `button`, `paper` or `hand`.
        var by: String?
        var option: String?
        var ending: String?
        var pages: Int?
        var files: [String]?
        var continuation: String?
        var code: String?
        var message: String?

        init(_ event: String, at time: Duration) {
            self.event = event
            self.time = (time / .milliseconds(1)).rounded() / 1000
        }
    }

    private func writeJSON(_ event: ScannerWatchEvent) {
        var line = Line("", at: elapsed())
        switch event {
        case .waiting(let name, let sensors):
            line.event = "waiting"
            (line.device, line.sensors) = (name, sensors)
        case .triggered(let trigger, let job):
            line.event = "trigger"
            (line.job, line.by) = (job, trigger.word)
            if case .button(let option) = trigger { line.option = option }
        case .scan(let event):
            do {
                if let json = WatchJSON(event)?.timed(line.time) {
                    try console.result(json.line + "\n")
                }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
            return
        case .ended(let job, let outcome):
            line.event = "job"
            line.job = job
            let summary = ScanJSON(outcome)
            (line.ending, line.message) = (summary.ending.rawValue, summary.error)
            line.pages = outcome.pages.count
            line.files = outcome.receipts.flatMap(\.locations)
            line.continuation = outcome.continuation?.job
        case .refused(let job, let error):
            line.event = "job"
            (line.job, line.ending) = (job, "refused")
            line.message = ErrorMessages.explain(error).text
        case .lost(let error):
            line.event = "lost"
            (line.code, line.message) = (error.code.rawValue, error.description)
        case .back: line.event = "back"
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = ifSupported({ try encoder.encode(line) }) else { return }
        write(SafeJSON.text(bytes) + "\n")
    }
}

extension ScanTrigger {
    /// The trigger in JSON.
    fileprivate var word: String {
        switch self {
        case .button: "button"
        case .paper: "paper"
        case .hand: "hand"
        }
    }

    /// The event in words for people.
    fileprivate var sentence: String {
        switch self {
        case .button(let name): "\(name) was pressed"
        case .paper: "there is paper in the feeder"
        case .hand: "started by hand"
        }
    }
}
