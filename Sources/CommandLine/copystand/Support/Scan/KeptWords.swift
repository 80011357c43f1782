import Listings
import ScanService

/// Finds the parts of an undelivered document that are still in the spool.
struct KeptWords {
    /// The sentences, the first of them about the pages.
    let lines: [String]

    /// The words about a job's result; none when its delivery did not fail.
    ///
    /// - Parameter there: the option for reaching the job's host, after a
    ///   space.
    init(_ result: ScanJSON, there: String) {
        guard let job = result.keptJob, let kept = result.kept, !result.failed.isEmpty else {
            lines = []
            return
        }
        var lines: [String] = []
        if kept.pages > 0 {
            lines.append(
                "\(counted(kept.pages, "page")) \(kept.pages == 1 ? "is" : "are") kept in the spool."
            )
        }
        if kept.unread > 0 {
            let what = counted(kept.unread, kept.pages > 0 ? "more page" : "page")
            lines.append(
                "The spool has no room for \(what), so leave the files where they are: they will be read again."
            )
        }
        if kept.lost > 0 {
            lines.append(
                "\(counted(kept.lost, "page")) can't be read again, since the files have changed or are gone. Import them again."
            )
        }
        if kept.pages + kept.unread > 0 {
            lines.append(
                "When the cause is fixed, deliver the document with: copystand jobs resume\(there) \(job) -o FILE"
            )
        } else {
            lines.append("No page of the document is kept.")
        }
        self.lines = lines
    }
}
