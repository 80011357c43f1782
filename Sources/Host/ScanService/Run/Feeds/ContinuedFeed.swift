import Synchronization

/// Feeds the pages that an interrupted job already has, once another page is captured: without one,
/// nothing is delivered again.
struct ContinuedFeed: PageFeed {
    let earlier: [FedPage]
    let further: any PageFeed

    func stop() { further.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let isFed = Mutex(false)
        try await further.run(onEvent) { page in
            let isFirst = isFed.withLock { isFed in
                defer { isFed = true }
                return !isFed
            }
            if isFirst { earlier.forEach(take) }
            take(page)
        }
    }
}
