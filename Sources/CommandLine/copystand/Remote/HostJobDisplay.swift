import CommandLine
import HostClient
import Synchronization

/// Shows people the progress of another host's job: one line per page, and a live line on a
/// terminal.
final class HostJobDisplay: Sendable {
    private struct State {
        var shown: RemoteJob?
        /// Pages that already have a line, by their number.
        var written: Set<Int> = []
        var notices = 0
    }

    private let lines: JobLines
    private let state = Mutex(State())

    init(_ console: Console) { lines = JobLines(console) }

    /// Seconds since the display was made.
    var seconds: Double { lines.seconds }

    /// Shows the state of the job.
    func show(_ job: RemoteJob) {
        let (notices, pages, isNews) = state.withLock { state in
            defer {
                state.notices = job.notices.count
                state.shown = job
            }
            let pages = job.pages.filter {
                ["finished", "skipped"].contains($0.stage)
                    && state.written.insert($0.number).inserted
            }
            return (
                job.notices.dropFirst(state.notices), pages, job.message != state.shown?.message
            )
        }
        for notice in notices { say(notice) }
        if isNews, job.state == .waiting { say("\(job.message). Ctrl-C ends it.") }
        for page in pages { write(page) }
        lines.show(
            Progress(
                done: job.pages.count { $0.stage == "finished" }, total: job.expected,
                detail: detail(job)))
    }

    private func detail(_ job: RemoteJob) -> String {
        guard let page = job.pages.last(where: { $0.stage == "capturing" }) else {
            return job.message
        }
        let share = page.progress.map { " \(Int(100 * min(max($0, 0), 1))) %" } ?? ""
        return "capturing \(page.label ?? "page \(page.number)")\(share)"
    }

    private func write(_ page: RemoteJob.Page) {
        if page.stage == "skipped" {
            lines.write(
                "copystand: \(page.label ?? "a page") could not be captured: \(page.problems.joined(separator: "; "))"
            )
            return
        }
        let name = page.label.map { "\($0): " } ?? ""
        say("Page \(page.number): \(name)\(counted(page.words ?? 0, "word"))")
        for problem in page.problems {
            lines.write("Page \(page.number): \(problem)")
        }
    }

    /// Shows a sentence that the user should read.
    func note(_ text: String) { lines.write(text) }

    /// Reports that a stop was requested, and how to stop immediately.
    func stopping() {
        lines.write(
            "Stopping: finished pages are kept. Press Ctrl-C again to leave at once; the job continues there."
        )
    }

    /// Removes the live line.
    func clear() { lines.clear() }

    private func say(_ text: String) { lines.say(text) }
}
