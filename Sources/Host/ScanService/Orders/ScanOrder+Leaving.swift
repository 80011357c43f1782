import Archive
import Delivery
import JobOptions
import WorkQueue

extension ScanOrder {
    /// The reason why the order's pages can't be left to workers, as a clause; nil if they can.
    public var obstacleToLeaving: String? {
        if explanation != nil { return "the explanation of each step is written by this machine" }
        if let sink = sinks.first { return "only this machine knows the sink '\(sink)'" }
        if sources.contains(where: { $0 == "-" || $0.hasPrefix("file:") }) {
            return "files are read by this machine"
        }
        for output in outputs {
            guard let place = ArchiveSink.place(of: output) else {
                return "'\(output)' is written by this machine"
            }
            guard Archive.isShared(place) else {
                return "the archive '\(place)' is only on this machine"
            }
        }
        return outputs.count == 1 ? nil : "a worker delivers to one archive"
    }

    /// The archive to whose workers the pages are left; nil when they are processed here.
    var leavingPlace: String? {
        guard options[.processing] != .here, obstacleToLeaving == nil else { return nil }
        return outputs.first.flatMap(ArchiveSink.place)
    }

    /// Refuses an order that asks for workers and can't be left to them.
    ///
    /// - Throws: ``JobError`` `notForWorkers`.
    func checkLeaving() throws(JobError) {
        guard options[.processing] != .here, let obstacle = obstacleToLeaving else { return }
        throw Self.refusal(obstacle)
    }

    /// The refusal of pages that come from files.
    static var filesRefusal: JobError { refusal("files are read by this machine") }

    private static func refusal(_ obstacle: String) -> JobError {
        JobError(
            .notForWorkers,
            "The pages can't be left to workers: \(obstacle). Leave out --process, or deliver only to an archive that "
                + "machines share: set COPYSTAND_ARCHIVE to its address, such as postgresql://db/scans."
        )
    }

    /// The place of the order's jobs in the queue.
    var urgency: NewJob.Urgency { options[.processing] == .bulk ? .bulk : .interactive }
}
