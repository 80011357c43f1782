import CaptureKit
import Delivery
import Documents
import Testing
import Workers

@testable import ScanService
@testable import WebServer

/// The status of a job after its events.
@Suite struct JobStatusTests {
    private static let order = ScanOrder(sources: ["a:b"], outputs: ["o"], profile: "none")
    private let blank = JobStatus(id: "j", order: order, created: "2026-05-17T10:00:00Z")

    private static func finished(_ number: Int, of captured: Int) -> ScanEvent {
        .finished(
            PageSummary(
                page: Page(
                    number: number, width: 10, height: 20, resolution: 300,
                    provenance: Provenance(device: "a:b", label: nil)),
                captured: captured))
    }

    private static func told(_ status: JobStatus) -> [String] {
        status.pages.map { "\($0.number) \($0.stage) \($0.hasPicture)" }
    }

    @Test("A page keeps its picture when one before it could not be captured")
    func skipped() {
        var status = blank
        status.apply(.captured(page: 1, label: nil))
        status.apply(
            .skipped(SkippedPage(label: "bad", error: CaptureError(.damagedData, "damaged"))))
        status.apply(.captured(page: 3, label: nil))
        for number in [1, 3] { status.pictured(number) }
        status.apply(Self.finished(1, of: 1))
        status.apply(Self.finished(2, of: 3))
        #expect(
            Self.told(status) == ["1 finished true", "2 skipped false", "2 finished true"])
        #expect(status.pages.map(\.captured) == [1, nil, 3])
    }

    @Test("A file that can't be read is called as its sender calls it, without the host's folders")
    func skippedUpload() {
        var status = blank
        let text = "'/home/ann lee/spool/j-1/picture-2/my notes.txt' is not a file with pages"
        status.apply(
            .skipped(SkippedPage(label: "my notes.txt", error: CaptureError(.damagedData, text))))
        #expect(status.pages.map(\.problems) == [["'my notes.txt' is not a file with pages"]])
        status.finish(.failure(CaptureError(.damagedData, text)))
        #expect(status.problem?.hasPrefix("'my notes.txt' is not a file with pages") == true)
    }

    @Test("A question stays until it is answered, and no longer than the job")
    func question() throws {
        var status = blank
        status.apply(.captured(page: 1, label: nil))
        let early = status.answered(goesOn: true)
        #expect(!early)
        status.apply(.askingForMore(pages: 1))
        #expect(status.state == .waiting && status.question == .another)
        #expect(status.message == "1 page so far: put the next sheet in, or finish")
        var over = status
        over.finish(.failure(CancellationError()))
        #expect(over.question == nil)
        let (first, second) = (status.answered(goesOn: true), status.answered(goesOn: true))
        #expect(first && !second)
        #expect(status.state == .running && status.question == nil)
    }

    @Test("A picture that becomes several pages is the picture of each")
    func several() {
        var status = blank
        for number in 1...2 { status.apply(.captured(page: number, label: nil)) }
        status.pictured(1)
        status.apply(Self.finished(1, of: 1))
        status.apply(Self.finished(2, of: 1))
        status.apply(Self.finished(3, of: 2))
        status.pictured(2)
        #expect(Self.told(status) == ["1 finished true", "2 finished true", "3 finished true"])
        #expect(status.pages.map(\.captured) == [1, 1, 2])
    }

    @Test(
        "A job's earlier pages are shown while it continues, and it can be continued again after a failure"
    )
    func goingOn() {
        var first = blank
        for number in 1...2 { first.apply(.captured(page: number, label: nil)) }
        first.pictured(1)
        first.apply(Self.finished(1, of: 1))
        first.apply(Self.finished(2, of: 2))
        var next = JobStatus(
            id: "j", order: Self.order, created: "", goesOn: true, earlier: first)
        #expect(Self.told(next) == ["1 captured true", "2 captured false"])
        next.apply(.captured(page: 3, label: nil))
        for number in 1...3 { next.apply(Self.finished(number, of: number)) }
        #expect(Self.told(next) == ["1 finished true", "2 finished false", "3 finished false"])
        next.finish(.failure(CaptureError(.offline, "It is off")))
        #expect(next.continuation == "j")
        #expect(next.state == .failed)
    }

    @Test("A page that was only half captured when the job ended is not part of the document")
    func torn() {
        var status = blank
        status.apply(.captured(page: 1, label: nil))
        status.apply(.capturing(page: 2, label: nil, rows: 10, of: 20))
        #expect(status.pages.count == 2)
        status.finish(.success(ScanOutcome(ending: .stopped)))
        #expect(status.pages.map(\.number) == [1])
    }

    @Test("Fronts and backs that were captured one after the other are in the document's order")
    func collated() {
        var status = blank
        for number in 1...4 { status.apply(.captured(page: number, label: nil)) }
        // The backs come in reverse order, that of the last sheet first.
        for (number, captured) in [(1, 1), (2, 4), (3, 2), (4, 3)] {
            status.apply(Self.finished(number, of: captured))
        }
        status.apply(.completing(pages: 4))
        #expect(status.pages.map(\.number) == [1, 2, 3, 4])
        #expect(status.pages.map(\.captured) == [1, 4, 2, 3])
    }

    /// A job's place after its events and its end.
    private static func places(
        _ archive: String, _ receipt: Receipt, keptJob: String? = nil
    ) -> [JobPlace] {
        let order = ScanOrder(sources: ["a:b"], outputs: ["archive:" + archive], profile: "none")
        var status = JobStatus(id: "j", order: order, created: "")
        var places = [status.place]
        status.apply(.captured(page: 1, label: nil))
        status.apply(.completing(pages: 1))
        places.append(status.place)
        status.apply(.delivered(receipt))
        var outcome = ScanOutcome(ending: .completed)
        outcome.keptJob = keptJob
        status.finish(.success(outcome))
        return places + [status.place]
    }

    @Test("Pages are on the station, on their way, with workers or done")
    func places() {
        var receipt = Receipt(sink: "archive:x", locations: ["1"], pages: 1, bytes: 1)
        let shared = "postgresql://db/scans"
        #expect(Self.places("/a", receipt) == [.station, .station, .done])
        #expect(Self.places(shared, receipt) == [.station, .uploading, .done])
        #expect(Self.places(shared, receipt, keptJob: "j") == [.station, .uploading, .station])
        receipt.waiting = .init("It waits.", isForWorker: true)
        #expect(Self.places(shared, receipt) == [.station, .uploading, .waiting])
    }
}
