import Synchronization

/// What a capture has given so far.
final class CaptureLog: Sendable {
    struct Contents {
        /// The number of pages.
        var pages = 0
        /// The devices of the pages.
        var devices: Set<String> = []
        var skipped: [SkippedPage] = []
        var collated: ScanOutcome.Collation?
    }

    private let state = Mutex(Contents())

    var contents: Contents { state.withLock { $0 } }

    fileprivate func note(_ event: ScanEvent) {
        state.withLock { state in
            switch event {
            case .skipped(let page): state.skipped.append(page)
            case .collated(let fronts, let backs):
                state.collated = .init(fronts: fronts, backs: backs)
            default: break
            }
        }
    }

    fileprivate func note(_ page: FedPage) {
        state.withLock { [device = page.device] state in
            state.pages += 1
            state.devices.insert(device)
        }
    }
}

extension ScanRun {
    /// Takes all pages from the feed, and notes in the job's folder that it has all of them.
    func capture(
        _ control: ScanControl, _ log: CaptureLog, take: @Sendable (FedPage) -> Void
    ) async -> ScanOutcome.Ending {
        do {
            try await feed.run { event in
                log.note(event)
                onEvent(event)
            } take: { page in
                log.note(page)
                take(page)
            }
            if extent == .whole {
                CaptureMark(captures: ledger.record.captureCount, pages: log.contents.pages)
                    .write(to: folder.path)
            }
            return .completed
        } catch is CancellationError {
            return .stopped
        } catch {
            return control.isStopped ? .stopped : .deviceFailed(error)
        }
    }
}

extension ScanOutcome.Ending {
    /// - Throws: why the capture was not completed.
    func checkCompleted() throws {
        switch self {
        case .completed: break
        case .stopped: throw CancellationError()
        case .deviceFailed(let error): throw error
        }
    }
}
