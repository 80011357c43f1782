import Delivery
import ExpectedFailures
import GuardedFiles

/// The files of watched folders that jobs read now, so that a file whose host was killed is
/// recognized.
///
/// The notes are in the spool, because only its own machine knows a job.
public struct TakenFiles: Sendable {
    private let folder: String

    /// The name of the notes' folder in a spool.
    static let name = ".taken"

    /// The notes in the spool of a store.
    public init(_ store: JobStore) { folder = store.root + "/" + Self.name }

    /// Notes the job that reads some files, by their paths.
    public func note(_ paths: [String], job: String) {
        // Without a note, a file whose host is killed counts as not read.
        asHint {
            try makePrivateFolder(folder)
            let notes = try GuardedFolder.folder(at: folder)
            for path in paths { try notes.replace(textHash(path), with: Array(job.utf8)) }
        }
    }

    /// The name of the job that read a file; nil when it is not known.
    public func job(of path: String) -> String? {
        let note = asHint {
            try GuardedFolder.folder(at: folder).read(textHash(path), atMost: 200)
        }
        guard let bytes = note else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return JobID.isValid(text) ? text : nil
    }

    /// Removes the notes on files that are settled.
    public func forget(_ paths: [String]) {
        cleaningUp {
            let (spool, name) = try GuardedFolder.above(folder)
            let notes = try spool.folder(name)
            for path in paths { notes.discard(textHash(path)) }
            spool.removeEmptyFolder(name)
        }
    }
}
