import CaptureKit
import CommandLine
import Delivery
import Documents
import ExpectedFailures
import FoundationEssentials
import Listings
import ScanService
import Synchronization

/// Shows people the progress of a job: a line for each page, with `--verbose` one for each step,
/// and a live line on a terminal.
final class ScanDisplay: Sendable {
    private struct State {
        var finished = 0
        var expected: Int?
        var detail = ""
        var job: String?
    }

    private let lines: JobLines
    private let state = Mutex(State())
    private var console: Console { lines.console }

    init(_ console: Console) {
        lines = JobLines(console)
        Program.onUploads { [weak self] upload in
            self?.update { $0.detail = "sending to \(upload.sink), \(upload.words)" }
        }
    }

    func show(_ event: ScanEvent) {
        switch event {
        case .opened(_, let name, _): update { $0.detail = name }
        case .adjusted("resolution", let asked, let got):
            say("The scanner does not support \(asked) dpi; \(words(got)) is used.")
        case .adjusted("source", "auto", let got):
            say("The device has no source 'auto'; \(words(got)) is used.")
        case .adjusted(let option, let asked, let got):
            say(
                "\(option): the device does not support \(asked); the nearest, \(words(got)), is used."
            )
        case .waitingForDevice(let device, let user):
            update { $0.detail = "waiting for \(device)" }
            say("\(device) is in use by \(user). Waiting until it is free. Ctrl-C ends the wait.")
        case .waitingForPaper(let device):
            update { $0.detail = "waiting for paper" }
            say("Waiting for paper in the feeder of \(device). Ctrl-C ends it.")
        case .turningStack(let fronts): turning(fronts)
        case .collated(let fronts, let backs): collated(fronts, backs)
        // Only a host's clients get this question.
        case .askingForMore: break
        case .began(let job): state.withLock { $0.job = job }
        case .continuing(let job, let pages):
            say("Continuing the job \(job) after its \(counted(pages, "page")).")
        case .notReplaced(let output, let isGone):
            lines.write(
                isGone
                    ? "copystand: '\(output)', which this job wrote, is gone: the document is written again."
                    : "copystand: '\(output)' was changed since this job wrote it, and is left as it is: the document goes to a file of another name."
            )
        case .expecting(let pages): update { $0.expected = pages }
        case .capturing(let page, let label, let rows, let total):
            let share = total.map { " \(100 * rows / max(1, $0)) %" } ?? ""
            update { $0.detail = "capturing \(label ?? "page \(page)")\(share)" }
        case .captured(let page, let label):
            update { $0.detail = "reading " + (label ?? "page \(page)") }
        case .skipped(let page):
            lines.write(
                "copystand: \(page.label ?? "a page")" + Self.ending(of: page)
                    + ErrorMessages.explain(page.error).text.dropping(prefix: "copystand: "))
        case .finished(let page): finished(page)
        case .completing: update { $0.detail = "completing the files" }
        case .delivered: break
        case .undelivered(let failure):
            lines.write(ErrorMessages.explain(failure.error).text)
        }
    }

    /// The message for a skipped page.
    ///
    /// It names files in a folder that are not read.
    private static func ending(of page: SkippedPage) -> String {
        guard page.error.code == .notAPage else { return " could not be captured: " }
        return page.label?.hasSuffix("/") == true ? ": " : " was left out: "
    }

    /// Reports that a stop was requested, and how to stop immediately.
    func stopping() {
        lines.write(
            "Stopping: finished pages are kept. Press Ctrl-C again to stop at once.")
    }

    /// Prints which pages of a failed job are in the spool, if there are any.
    func writeKept() {
        let environment = ProcessInfo.processInfo.environment
        guard let id = state.withLock(\.job),
            let job = reportedLater({ try JobStore.standard(environment: environment).job(id) }),
            job.undeliveredPages > 0
        else { return }
        lines.write(
            "\(counted(job.undeliveredPages, "page")) \(job.undeliveredPages == 1 ? "is" : "are") kept in the spool. Deliver the document with: copystand jobs resume \(id)"
        )
    }

    /// Removes the live line.
    func clear() { lines.clear() }

    /// Shows the job's result.
    func finish(_ result: ScanJSON) {
        lines.clear()
        ScanEnding(console).writeSummary(result, seconds: lines.seconds)
    }

    private func turning(_ fronts: Int) {
        lines.clear()
        console.warn(
            "\(counted(fronts, "front")) captured. Turn the whole stack over, so that the last sheet's back comes first, and put it into the feeder."
        )
        update { $0.detail = "waiting for the turned stack" }
        if console.error.isTerminal {
            lines.write("Press Enter when it is in; Ctrl-C ends with only the fronts.")
        }
    }

    private func collated(_ fronts: Int, _ backs: Int) {
        if fronts == backs {
            say("\(counted(fronts, "sheet")): fronts and backs are put in order.")
        }
    }

    private func finished(_ summary: PageSummary) {
        let page = summary.page
        let line = PageLine(summary)
        say(line.text)
        if console.isVerbose {
            for step in page.provenance.steps {
                say(
                    "  \(step.name): \(step.summary) (\(Int(min(max(step.milliseconds, 0), 1e12).rounded())) ms)"
                )
            }
        }
        for warning in line.warnings { lines.write(warning) }
        update {
            $0.finished = page.number
        }
    }

    private func say(_ text: String) { lines.say(text) }

    private func update(_ change: (inout State) -> Void) {
        let now = state.withLock { state in
            change(&state)
            return state
        }
        lines.show(Progress(done: now.finished, total: now.expected, detail: now.detail))
    }

    private func words(_ value: OptionValue) -> String {
        switch value {
        case .bool(let flag): flag ? "on" : "off"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .text(let text): text
        }
    }
}

extension String {
    /// The text without `prefix`, if it begins with it.
    fileprivate func dropping(prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
