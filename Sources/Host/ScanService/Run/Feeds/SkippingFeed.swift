/// Reports the sources that can't be read, and then feeds the others.
struct SkippingFeed: PageFeed {
    let skipped: [SkippedPage]
    let feed: any PageFeed

    func stop() { feed.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        for page in skipped { onEvent(.skipped(page)) }
        try await feed.run(onEvent, take: take)
    }
}
