import CaptureHost
import Delivery
import Processing

/// A running job: pages go from a feed through the pipeline to the sinks, several at once, in
/// order.
struct ScanRun: Sendable {
    /// How much of the job's document the feed gives.
    enum Extent: Sendable {
        /// All of it.
        case whole
        /// The captured pages of a stack that was not captured completely.
        case brokenOff
        /// The pages of those files that are still there.
        case withoutSomeFiles
    }

    /// Where the pages are processed.
    enum Work: Sendable {
        /// This run.
        case own
        /// Workers: the pages are left to them as they were captured.
        case left
        /// This run, for the station that left them. A document without some of its pages is of no
        /// use there, and is not delivered.
        case claimed
    }

    let feed: any PageFeed
    let pipeline: PagePipeline
    let delivering: BatchDelivering
    let folder: JobFolder
    let ledger: JobLedger
    let extent: Extent
    let work: Work
    /// The part of every picture that is kept; nil for the whole picture.
    let area: CaptureArea?
    /// The limit on pages in memory at once, each counted with its captured bytes.
    let holding: HoldingLimit
    let onEvent: @Sendable (ScanEvent) -> Void

    /// True when the pages come from files outside of the job's folder.
    var isRereadable: Bool { ledger.record.isRereadable }

    func run(_ control: ScanControl) async throws -> ScanOutcome {
        let (fed, line) = AsyncStream.makeStream(of: FedPage.self)
        let log = CaptureLog()
        let pictures = control.picture.map { PagePictures(of: area, for: $0) }
        let capture = Task {
            defer { line.finish() }
            return await self.capture(control, log) { page in
                pictures?.make(page.captured)
                line.yield(page)
            }
        }
        control.onStop { [feed] in feed.stop() }
        var passed = Passed()
        var obstacle: (any Error)?
        do {
            try await withTaskCancellationHandler {
                try await pass(fed, pictures, into: &passed)
            } onCancel: {
                feed.stop()
            }
        } catch {
            obstacle = error
            // No more pages of files are read. The sheets in a feeder are captured to the end, and
            // kept.
            if ledger.record.isOfFiles || work == .claimed { feed.stop() }
        }
        let ending = await capture.value
        if let obstacle { throw obstacle }
        if work == .claimed { try ending.checkCompleted() }
        let all = log.contents
        var outcome = ScanOutcome(ending: ending, pages: passed.pages, skipped: all.skipped)
        outcome.collated = all.collated
        // The files that the pages are made from may be deleted now.
        await pictures?.finish()
        await conclude(&outcome, passed.releasedFiles, devices: all.devices)
        return outcome
    }
}
