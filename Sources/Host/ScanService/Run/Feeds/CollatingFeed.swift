import CaptureHost
import CaptureKit
import Synchronization

/// Captures the fronts of a stack and then, after the stack was turned over, the backs, and feeds
/// both interleaved.
///
/// No page is fed before the end, because the last back belongs to the first front. However the
/// capture ends, all captured pages are fed.
final class CollatingFeed: PageFeed {
    private struct State {
        var pages: [FedPage]
        var isFurther = false
    }

    private let ledger: JobLedger
    private let turnStack: (@Sendable (_ fronts: Int) async throws -> Void)?
    private let makeFeed: @Sendable (DeviceFeed.Start) -> any PageFeed
    private let current = CurrentFeed()
    private let state: Mutex<State>

    /// A feed that continues after `earlier` pages of the job.
    ///
    /// - Parameters:
    ///   - turnStack: asks a person to turn the stack; nil when the backs begin as soon as they are
    ///     in the feeder.
    ///   - makeFeed: makes the feed of one side.
    init(
        earlier: [FedPage], ledger: JobLedger,
        turnStack: (@Sendable (_ fronts: Int) async throws -> Void)?,
        makeFeed: @escaping @Sendable (DeviceFeed.Start) -> any PageFeed
    ) {
        self.ledger = ledger
        self.turnStack = turnStack
        self.makeFeed = makeFeed
        state = Mutex(State(pages: earlier))
    }

    func stop() { current.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        var failure: (any Error)?
        do { try await capture(onEvent) } catch { failure = error }
        let (pages, isFurther) = state.withLock { ($0.pages, $0.isFurther) }
        if isFurther {
            let order = ledger.record.arranged(pages.map(\.captured.asCaptured))
            if order.backs > 0 { onEvent(.collated(fronts: order.fronts, backs: order.backs)) }
            arrange(pages, order).forEach(take)
        }
        if let failure { throw failure }
    }

    private func capture(_ onEvent: @escaping @Sendable (ScanEvent) -> Void) async throws {
        if ledger.record.runs?.last?.side != .backs {
            try await capture(.fronts, isNewPaper: true, onEvent)
            let (fronts, next) = (state.withLock { $0.pages.count }, next)
            // After this point, the next captured pages are backs, even if the job fails.
            try ledger.update { $0.runs?.append(CaptureRun(first: next, side: .backs)) }
            onEvent(.turningStack(fronts: fronts))
            try await askToTurn(fronts)
        }
        try await capture(.backs, isNewPaper: false, onEvent)
    }

    /// The number of the next page in the spool.
    private var next: Int { (state.withLock { $0.pages.map(\.captured.number).max() } ?? 0) + 1 }

    private func askToTurn(_ fronts: Int) async throws {
        guard let turnStack else { return }
        try await current.ask { try await turnStack(fronts) }
    }

    private func capture(
        _ side: CaptureRun.Side, isNewPaper: Bool,
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws {
        let feed = makeFeed(DeviceFeed.Start(page: next, isNewPaper: isNewPaper, side: side))
        try await current.run(feed, onEvent) { [self] page in
            state.withLock { state in
                state.pages.append(page)
                state.isFurther = true
            }
        }
    }
}

extension CapturedPage {
    /// The page in the form for the document's order.
    var asCaptured: PageOrder.Captured {
        PageOrder.Captured(number: number, label: description.label)
    }
}

/// Pages in the order of the document, with their labels in it.
func arrange(_ pages: [FedPage], _ order: PageOrder) -> [FedPage] {
    let byNumber = Dictionary(pages.map { ($0.captured.number, $0) }, uniquingKeysWith: { $1 })
    return order.pages.compactMap { place in
        byNumber[place.number].map {
            FedPage(captured: $0.captured, device: $0.device, label: place.label)
        }
    }
}
