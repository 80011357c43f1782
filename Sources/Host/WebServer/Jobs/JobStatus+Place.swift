import Archive
import ScanService
import Workers

// The place of a job's pages, even after it has left them to workers.
extension JobStatus {
    /// True while the pages wait for a worker, or one reads them.
    var isLeft: Bool { [.waiting, .reading].contains(place) }

    /// The pages of a running job that are still on this host; nil for none.
    var arrival: Arrival? {
        guard [.station, .uploading].contains(place), [.running, .waiting].contains(state),
            !pages.isEmpty
        else { return nil }
        return Arrival(job: id, station: ThisStation.name, pages: pages.count, place: place)
    }

    /// Records the state of its pages in the queue.
    mutating func follow(_ arrival: Arrival) {
        (place, ahead, read) = (arrival.place, arrival.ahead, arrival.read)
        recover(from: Self.givenUp)
        if let reason = arrival.problem {
            fail(Problem(500, "given-up", detail: reason))
        }
    }

    /// Records the documents that a worker has made of the pages.
    mutating func arrived(as documents: [DocumentSummary]) {
        (place, ahead, read) = (.done, nil, nil)
        recover(from: Self.givenUp)
        deliveries = documents.map {
            Delivery(sink: "archive", document: $0.id.description, pages: $0.pages)
        }
    }

    /// The code of the problem of a job that workers gave up.
    private static let givenUp = "given-up"
}
