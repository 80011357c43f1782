import CaptureHost
import Synchronization

/// Feeds the pages of files that are read again, and then the job's pages that the files no longer
/// contain: a file may be missing or changed.
struct RereadFeed: PageFeed {
    let held: [FedPage]
    let files: any PageFeed

    func stop() { files.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let missing = Mutex(held.map(\.captured))
        let result: Result<Void, any Error>
        do {
            try await files.run(onEvent) { page in
                missing.withLock { missing in
                    if let known = HeldPages.index(of: page.captured, in: missing) {
                        missing.remove(at: known)
                    }
                }
                take(page)
            }
            result = .success(())
        } catch { result = .failure(error) }
        let numbers = Set(missing.withLock { $0.map(\.number) })
        for page in held where numbers.contains(page.captured.number) { take(page) }
        try result.get()
    }
}
