import BlockingWork
import Synchronization

/// Reads pictures of a folder and stores the last one, so that a live view of a still picture
/// decodes it once.
final class PictureCache: Sendable {
    private let last = Mutex<(reference: PictureReference, picture: PictureFile)?>(nil)

    /// The picture; it is read again unless it was the last one.
    ///
    /// - Throws: the errors of ``PictureFile/init(_:)``.
    func picture(_ reference: PictureReference) async throws -> PictureFile {
        let kept = last.withLock { $0?.reference == reference ? $0?.picture : nil }
        if let kept { return kept }
        last.withLock { $0 = nil }
        let picture = try await onOwnThread { try PictureFile(reference) }
        last.withLock { $0 = (reference, picture) }
        return picture
    }
}
