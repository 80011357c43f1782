import PostgreSQL
import Synchronization
public import WorkQueue

/// A captured job that is being left to workers: its pictures are stored page by page, and the job
/// enters the queue as a whole or not at all.
public final class Leaving: Sendable {
    private struct State {
        var pages: [LeftJob.Page] = []
        var images: Set<NewImage> = []
        /// Held until the transaction is committed; nil once it is finished or given up.
        var hold: (any ImageHold)?
    }

    private let archive: Archive
    private let name: String
    private let owner: String?
    private let state: Mutex<State>

    init(_ archive: Archive, name: String, owner: String?) throws(ArchiveError) {
        guard Archive.isShared(archive.place) else {
            throw ArchiveError(
                .refused,
                "The archive '\(archive.place)' is only on this machine, so no worker sees it. Process the pages here, "
                    + "or share an archive: copystand archive init postgresql://HOST/NAME --images PLACE"
            )
        }
        self.archive = archive
        self.name = name
        self.owner = owner
        state = Mutex(State(hold: try archive.holdImages()))
    }

    /// Stores a captured page's files.
    ///
    /// - Parameters:
    ///   - note: the known facts about the page.
    ///   - original: the file that the device sent; nil where the picture is that file, or for
    ///     none.
    /// - Throws: ``ArchiveError``; the job can then only be given up.
    public func add(
        note: String, picture: LeftJob.File, original: LeftJob.File? = nil
    ) throws(ArchiveError) {
        var page = LeftJob.Page(
            note: note, picture: try store(picture), media: picture.media, original: nil)
        if let original { page.original = try store(original) }
        state.withLock { $0.pages.append(page) }
    }

    private func store(_ file: LeftJob.File) throws(ArchiveError) -> ImageHash {
        guard let hold = state.withLock({ $0.hold }) else { throw Self.closed }
        let image = NewImage(
            hash: ImageHash(of: file.bytes), bytes: file.bytes.count, media: file.media)
        try hold.note([image])
        try archive.images.add(file.bytes, as: image.hash)
        _ = state.withLock { $0.images.insert(image) }
        return image.hash
    }

    /// Puts the job into the queue, in one transaction.
    ///
    /// A job of the same name that is left there, perhaps with fewer pages, is replaced; a worker
    /// that has it adds nothing.
    ///
    /// - Parameters:
    ///   - order: the facts that a worker needs.
    ///   - station: the machine that left it; machines take turns.
    /// - Returns: the number of pages that wait before it.
    /// - Throws: ``ArchiveError``; then the job is not left.
    public func finish(
        order: String, station: String, urgency: NewJob.Urgency
    ) throws(ArchiveError) -> Int {
        let (pages, images, isOpen) = state.withLock { ($0.pages, $0.images, $0.hold != nil) }
        guard isOpen else { throw Self.closed }
        guard !pages.isEmpty else {
            throw ArchiveError(.refused, "A job without pages can't be left to workers.")
        }
        let before = try archive.access { database in
            guard let connection = (database as? PostgreSQLDatabase)?.connection else {
                throw Self.closed
            }
            let queue = try WorkQueue(over: connection)
            return try database.write {
                try database.hold(job: name)
                for image in images { try database.name(image) }
                try database.run("DELETE FROM left_job WHERE name = ?", [.text(name)])
                try database.run(
                    "INSERT INTO left_job (name, work, owner) VALUES (?, ?, ?)",
                    [.text(name), .text(order), .text(owner)])
                for (position, page) in pages.enumerated() {
                    try database.run(
                        """
                        INSERT INTO left_page (job, position, note, picture, media, original)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                        [
                            .text(name), .integer(position), .text(page.note),
                            .blob(page.picture.bytes), .text(page.media),
                            .blob(page.original?.bytes),
                        ])
                }
                try queue.replace(
                    NewJob(
                        kind: LeftJob.kind, key: name, station: station, urgency: urgency,
                        size: pages.count))
                return try queue.sizeBefore(key: name, of: LeftJob.kind) ?? 0
            }
        }
        cancel()
        return before
    }

    /// Gives the job up; its pictures are removed by the next ``Archive/compact()``.
    public func cancel() { state.withLock { $0 = State() } }

    private static var closed: ArchiveError {
        ArchiveError(.refused, "The job is left to workers already and accepts no more pages.")
    }
}
