import Delivery
import Documents
import Listings
import ScanService

/// Prints a job's result, and the way to continue the job if needed.
struct ScanEnding {
    private let console: Console
    /// The address of the host that ran the job; nil for this machine.
    private let host: String?

    init(_ console: Console, host: String? = nil) {
        self.console = console
        self.host = host
    }

    /// The option for reaching the same host.
    private var there: String { host.map { " --host \($0)" } ?? "" }

    /// A phrase for the place to type a command that can't reach the same host.
    private var elsewhere: String { host == nil ? "" : ", on the host's own machine" }

    /// Prints the result.
    ///
    /// - Parameter seconds: the time that the job took.
    func writeSummary(_ outcome: ScanJSON, seconds: Double) {
        if let error = outcome.error {
            console.warn(error)
            if !outcome.pages.isEmpty, outcome.failed.isEmpty {
                console.warn(
                    "\(counted(outcome.pages.count, "page")) captured before that \(outcome.pages.count == 1 ? "is" : "are") delivered."
                )
            }
        }
        if outcome.pages.isEmpty {
            console.warn(
                outcome.continuation.map(\.isUnread) ?? true
                    ? "No page was captured, so nothing was written."
                    : "No further page was captured; the document stays as it was.")
        }
        if let collated = outcome.collated, !collated.isEven { uneven(collated) }
        if let continuation = outcome.continuation { writeContinuation(continuation, outcome) }
        for line in KeptWords(outcome, there: there).lines { console.warn(line) }
        writeBlankPages(outcome)
        writeSeparatorSheets(outcome)
        if let count = outcome.entries?.count {
            console.say("\(count) \(count == 1 ? "entry" : "entries") found")
        }
        for receipt in outcome.delivered {
            for note in receipt.notes ?? [] { console.say("'\(receipt.sink)': \(note)") }
            if let twin = receipt.duplicateOf {
                console.warn(
                    "The archive already has the same pages, as document \(twin). To remove the new one: copystand trash \(receipt.locations.joined(separator: " "))"
                )
            }
            writeWaiting(receipt)
        }
        guard !outcome.delivered.isEmpty else { return }
        let pages = outcome.pages.count
        let read = outcome.pages.reduce(0) { $0.addingReportingOverflow($1.words).partialValue }
        let failed = outcome.skipped.count(where: \.isFailure)
        let leftOut = outcome.skipped.count - failed
        let skipped =
            (failed > 0 ? ", \(failed) not captured" : "")
            + (leftOut > 0 ? ", \(leftOut) left out" : "")
        let isRead = outcome.delivered.contains { $0.waiting?.isForWorker != true }
        let words = isRead ? ", \(counted(read, "word"))" : ""
        console.say(
            "\(counted(pages, "page"))\(skipped)\(words), in \(tenths(seconds)) s "
                + "(\(Int(60 * Double(pages) / max(seconds, 0.001))) pages/min)")
    }

    /// Prints that a document waits for its sink, with advice.
    private func writeWaiting(_ receipt: Receipt) {
        guard let waiting = receipt.waiting else { return }
        guard waiting.isForWorker != true else {
            return console.say(
                "The pages are in the archive, as they were captured. \(waiting.reason) See: copystand status"
            )
        }
        console.warn(
            waiting.isRefused
                ? "'\(receipt.sink)' refused the document: \(waiting.reason)"
                : "'\(receipt.sink)' does not have the document yet: \(waiting.reason)")
        console.warn("It is safe in the outbox. Try again with: copystand outbox retry")
    }

    /// Prints which pages are blank, and how to add them to files.
    private func writeBlankPages(_ outcome: ScanJSON) {
        let blank = outcome.pages.filter(\.isBlank).map { "\($0.number)" }
        guard !blank.isEmpty else { return }
        let place =
            outcome.blankPagesLeftOut == nil
            ? "." : ", and left out of files unless --keep-blank is given."
        console.warn(
            "Nothing is written on \(blank.count == 1 ? "page" : "pages") \(blank.joined(separator: ", ")): marked as blank"
                + place)
        if let job = outcome.blankPagesJob, outcome.failed.isEmpty {
            console.say(
                "To add them anyway: copystand jobs resume --keep-blank \(job)\(elsewhere); to delete the captured pages: copystand "
                    + "jobs discard\(there) \(job)")
        }
    }

    /// Prints the sheets at which the stack was split, and the way to add them to documents.
    func writeSeparatorSheets(_ outcome: ScanJSON) {
        let aside = outcome.pages.filter { $0.document == 0 }.map { "\($0.number)" }
        if let documents = outcome.documents {
            console.say("Split into \(counted(documents.count, "document"))")
        }
        guard !aside.isEmpty else { return }
        console.say(
            "Left out as \(aside.count == 1 ? "a sheet" : "sheets") between documents: \(aside.count == 1 ? "page" : "pages") "
                + aside.joined(separator: ", "))
        if outcome.documents == nil {
            console.warn("There were only separator sheets, so nothing was written.")
        }
        if let job = outcome.asidePagesJob, outcome.failed.isEmpty {
            console.say(
                "To add them anyway: copystand jobs resume --split-page keep \(job)\(elsewhere); to delete the captured pages: copystand "
                    + "jobs discard\(there) \(job)")
        }
    }

    /// Prints the sheets that go back into the feeder, and the command to type.
    private func writeContinuation(_ continuation: ScanJSON.Continuation, _ outcome: ScanJSON) {
        guard !continuation.isUnread else {
            return console.warn(
                "What could not be read is kept, because it is nowhere else. To try again: copystand jobs resume\(there) \(continuation.job). "
                    + "To delete it: copystand jobs discard --force\(there) \(continuation.job)")
        }
        guard !continuation.isReread else {
            console.warn(
                "Not all files were read. To read all of them again, and replace what was written: copystand jobs resume\(there) \(continuation.job)"
            )
            return free(continuation, outcome)
        }
        let append =
            host == nil
            ? "copystand scan --append"
            : "copystand scan --append \(continuation.job)\(elsewhere)"
        guard let next = continuation.next else {
            console.warn("To add more pages to the document: \(append)")
            return free(continuation, outcome)
        }
        if next.isTurned {
            console.warn(
                "To continue, put the turned stack back, beginning with the back of sheet \(next.sheet), then: \(append)"
            )
        } else {
            console.warn(
                "To continue, put sheet \(next.sheet) and those after it back, then: \(append)")
            if next.hasFront {
                console.warn("Its front is already in the document, and will be in it twice.")
            }
        }
        free(continuation, outcome)
    }

    /// Prints the command that deletes the pages, if no undelivered page would be lost.
    private func free(_ continuation: ScanJSON.Continuation, _ outcome: ScanJSON) {
        guard outcome.failed.isEmpty else { return }
        console.say(
            "Until then the captured pages are kept; to delete them: copystand jobs discard\(there) \(continuation.job)"
        )
    }

    private func uneven(_ collated: ScanOutcome.Collation) {
        console.warn(
            "copystand: there are \(counted(collated.fronts, "front")) but \(counted(collated.backs, "back")): two sheets may have been fed together."
        )
        console.warn(
            "All pages are in the document, matched beginning with the last sheet. Check their order, or scan the stack again."
        )
    }
}
