import Archive
import Synchronization

/// The user's archive, opened once, when it is first asked for and is there.
final class OpenArchive: Sendable {
    private let folder: String
    private let opened = Mutex<Archive?>(nil)

    init(folder: String) { self.folder = folder }

    /// Does something with the archive, on a thread of its own.
    ///
    /// - Parameter absent: what it is when there is no archive yet, because nothing was ever scanned into it; nil where that is an error.
    /// - Throws: ``ArchiveError``.
    func with<Value: Sendable>(
        absent: Value? = nil, _ body: @escaping @Sendable (Archive) throws -> Value
    ) async throws -> Value {
        do {
            return try await onOwnThread { [self] in try body(archive()) }
        } catch let error as ArchiveError where error.code == .missing {
            guard let absent else { throw error }
            return absent
        }
    }

    private func archive() throws -> Archive {
        try opened.withLock { opened in
            if let opened { return opened }
            let archive = try Archive(folder: folder, .readWrite)
            opened = archive
            return archive
        }
    }
}
