import CaptureHost
import Synchronization

/// Feeds the pages of files that are read once more, and after them those that the job has and the
/// files no longer give.
struct RereadFeed: PageFeed {
    let held: [FedPage]
    let files: any PageFeed

    func stop() { files.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let fed = Mutex<[FedPage]>([])
        let result: Result<Void, any Error>
        do {
            try await files.run(onEvent) { page in
                fed.withLock { $0.append(page) }
                take(page)
            }
            result = .success(())
        } catch { result = .failure(error) }
        let numbers = Set(
            HeldPages.missing(
                in: fed.withLock { $0.map(\.captured) }, of: held.map(\.captured)
            ).map(\.number))
        for page in held where numbers.contains(page.captured.number) { take(page) }
        try result.get()
    }
}
