import ExpectedFailures
import GuardedFiles

/// A mark in the folder of a job that a host works on, from the job's first page to its end.
///
/// If the mark exists but no process holds the folder, the host died in the middle of the job.
struct HostMark {
    private let folder: String

    private static let fileName = "host"

    /// After this many attempts, a job is left to its user, because it may be the cause of the
    /// crashes.
    static let mostAttempts = 3

    init(folder: String) { self.folder = folder }

    /// The number of times that a host has started the job without finishing it; 0 without a mark.
    var attempts: Int {
        guard
            let bytes = asHint({
                try GuardedFolder.folder(at: folder).read(Self.fileName, atMost: 1000)
            })
        else { return 0 }
        let count = Int(String(decoding: bytes.prefix(8), as: UTF8.self)) ?? Self.mostAttempts
        return min(max(count, 1), Self.mostAttempts)
    }

    /// Writes the mark, with the number of this attempt.
    func leave() {
        // Without a mark, the job waits for its user after a crash.
        asHint {
            try GuardedFolder.folder(at: folder)
                .replace(Self.fileName, with: Array("\(attempts + 1)".utf8))
        }
    }

    /// Removes the mark.
    func clear() { GuardedFolder.ifUsable(at: folder)?.discard(Self.fileName) }
}

extension JobStore {
    /// The jobs during which a host died, oldest first, except those during which several hosts
    /// died.
    public func leftByHost() -> [StoredJob] {
        jobs().filter { job in
            !job.isRunning && job.problem == nil
                && (1..<HostMark.mostAttempts).contains(HostMark(folder: job.folder).attempts)
        }
    }
}
