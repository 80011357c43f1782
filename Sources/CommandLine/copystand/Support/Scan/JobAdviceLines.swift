import HostClient
import Listings
import ScanService

/// Prints the possible actions on each job, the safest first.
struct JobAdviceLines {
    private let console: Console
    /// The options for reaching the jobs' host; empty for this machine.
    private let there: String

    init(_ console: Console, _ host: HostConnection?) {
        self.console = console
        there = host.map { " --host \($0.address.text)" } ?? ""
    }

    /// Prints the possible actions on one job.
    func write(_ job: StoredJobJSON) {
        if let problem = job.problem { console.warn("\(job.id): \(problem)") }
        guard let advice = job.advice, !advice.isEmpty else { return }
        let lost = job.undelivered ?? 0
        let state = job.risk.words ?? delivered(job, advice)
        let isEmpty = job.pages == 0 && lost == 0 && !job.isReread
        console.say("\(job.id): \(isEmpty ? "It has no pages." : state)")
        if job.awaitsArchive == true {
            console.say(
                "  The server of its archive did not answer. The host delivers it as soon as it does."
            )
        }
        for one in advice { console.say("  \(words(one, job)): \(command(one))") }
    }

    /// The message about a job with no pages at risk.
    private func delivered(_ job: StoredJobJSON, _ advice: [JobAdvice]) -> String {
        let isResumable = advice.contains { $0.action == .resume }
        if job.isReread {
            return "All its pages are delivered."
                + (isResumable ? "" : " Not all files were read, and they no longer exist.")
        }
        return isResumable
            ? "All its pages are delivered, but not to every place that the job names."
            : "All its pages are delivered."
    }

    private func words(_ advice: JobAdvice, _ job: StoredJobJSON) -> String {
        switch advice.action {
        case .resume:
            job.isReread
                ? "Deliver it, and read the files that were not read" : "Deliver every page"
        case .append: "Scan the rest into the same document"
        case .keepBlank: "Deliver the blank pages as well"
        case .keepSeparators: "Deliver the separator sheets as well"
        case .discard:
            advice.loses > 0
                ? "Delete the job, and lose \(counted(advice.loses, "page"))"
                : "Delete the job; nothing is lost"
        }
    }

    /// The command for use from this machine: some commands can't reach another host.
    private func command(_ advice: JobAdvice) -> String {
        guard !there.isEmpty else { return advice.command }
        switch advice.action {
        case .resume, .discard: return advice.command + there
        case .append, .keepBlank, .keepSeparators:
            return advice.command + ", on the host's own machine"
        }
    }
}
