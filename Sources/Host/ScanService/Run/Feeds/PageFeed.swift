import CaptureHost
import CaptureKit

/// A captured page between a source and the pipeline.
struct FedPage: Sendable {
    let captured: CapturedPage
    let device: String
    /// The page's label in the document.
    let label: String?
    /// The file that the page was read from; nil when it may not be readable again.
    private(set) var file: SourceFile?
    /// The file that the page was read from, even with a password; nil when unknown.
    private(set) var origin: SourceFile?
}

extension FedPage {
    /// A page with the name that its device gave it.
    init(captured: CapturedPage, device: String) {
        self.init(captured: captured, device: device, label: captured.description.label)
    }
}

/// The source of a job's pages: devices, or the spool of an interrupted job.
protocol PageFeed: Sendable {
    /// Feeds every page to `take` in order, and returns when there are no more.
    ///
    /// - Throws: the reason why the capture ended early, after feeding the earlier pages;
    ///   `CancellationError` when stopped.
    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws

    /// Ends the feeding soon: pages that are finished are still fed, then ``run(_:take:)`` throws
    /// `CancellationError`.
    func stop()
}

/// Feeds the pages that an interrupted job left in its spool, in the document's order.
struct SpoolFeed: PageFeed {
    let pages: [FedPage]

    /// Does nothing, because the pages are on the disk already.
    func stop() {}

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        for page in pages {
            onEvent(.captured(page: page.captured.number, label: page.label))
            take(page)
        }
    }
}
