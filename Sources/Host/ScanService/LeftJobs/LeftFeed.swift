import BlockingWork
import Archive
import CaptureHost
import CaptureKit

/// Feeds the pages of a left job, with only a few of them on this machine at a time.
struct LeftFeed: PageFeed {
    private let pages: [LeftJob.Page]
    private let archive: Archive
    private let folder: String
    private let queue = OwnQueue(label: "copystand.left-pages")
    /// A token for each page that still fits.
    private let room: AsyncStream<Void>
    private let rooms: AsyncStream<Void>.Continuation

    /// - Parameter window: the maximum number of pages on this machine.
    init(_ pages: [LeftJob.Page], of archive: Archive, in folder: String, window: Int) {
        self.pages = pages
        self.archive = archive
        self.folder = folder
        (room, rooms) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<max(1, window) { rooms.yield() }
    }

    func stop() { rooms.finish() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        onEvent(.expecting(pages: pages.count))
        var places = room.makeAsyncIterator()
        for page in pages {
            guard await places.next() != nil else { throw CancellationError() }
            let taken = try await queue.run { [archive, folder, rooms] in
                try LeftPage.unpack(page, archive.leftFile, in: folder) { rooms.yield() }
            }
            onEvent(.captured(page: taken.captured.number, label: taken.label))
            take(taken)
        }
    }
}
