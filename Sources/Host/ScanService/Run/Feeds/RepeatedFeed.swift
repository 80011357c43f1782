import CaptureHost
import CaptureKit
import Synchronization

/// Captures again and again into one document, and asks in between whether there is another sheet.
///
/// A flatbed gives one page per capture; so a document of several is captured page by page.
final class RepeatedFeed: PageFeed {
    private struct State {
        var start: DeviceFeed.Start
        /// Pages captured so far, in this run of the job.
        var taken = 0
    }

    private let ledger: JobLedger
    private let limit: Int?
    private let asks: @Sendable (_ pages: Int) async throws -> Bool
    private let makeFeed: @Sendable (DeviceFeed.Start, _ limit: Int?) -> any PageFeed
    private let current = CurrentFeed()
    private let state: Mutex<State>

    /// A feed that begins with `start`.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of pages of all captures together; nil for no limit.
    ///   - asks: asks whether another capture is wanted, after this many pages of the document.
    ///   - makeFeed: makes the feed for one capture of at most that many pages.
    init(
        start: DeviceFeed.Start, limit: Int?, ledger: JobLedger,
        asks: @escaping @Sendable (_ pages: Int) async throws -> Bool,
        makeFeed: @escaping @Sendable (DeviceFeed.Start, _ limit: Int?) -> any PageFeed
    ) {
        self.limit = limit
        self.ledger = ledger
        self.asks = asks
        self.makeFeed = makeFeed
        state = Mutex(State(start: start))
    }

    func stop() { current.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        repeat {
            do { try await capture(onEvent, take) } catch let error as HostError
                where error.code == HostError.Code(.feederEmpty)
                && state.withLock({ $0.taken > 0 })
            {
                // There was no sheet. The user is asked again, because a document that has pages
                // should not end like this.
            }
            let (taken, start) = state.withLock { ($0.taken, $0.start) }
            if let limit, taken >= limit { return }
            // The next captured pages are a separate capture, even if the job fails.
            try ledger.update {
                $0.runs?.append(CaptureRun(first: start.page, side: .asTheyCome))
            }
            onEvent(.askingForMore(pages: start.page - 1))
        } while try await isMoreWanted()
    }

    private func capture(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, _ take: @Sendable (FedPage) -> Void
    ) async throws {
        let feed = state.withLock { state in
            makeFeed(state.start, limit.map { $0 - state.taken })
        }
        try await current.run(feed, onEvent) { [self] page in
            state.withLock { state in
                state.taken += 1
                state.start.page = page.captured.number + 1
                if let label = page.label.flatMap(SheetLabel.init) {
                    state.start.sheets = label.sheet
                }
            }
            take(page)
        }
    }

    private func isMoreWanted() async throws -> Bool {
        let pages = state.withLock { $0.start.page - 1 }
        return try await current.ask { [asks] in try await asks(pages) }
    }
}
