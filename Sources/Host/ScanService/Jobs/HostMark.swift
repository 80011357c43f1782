import FoundationEssentials
import Glibc

/// The mark that a host keeps in the folder of a job that it works on, from the job's first page to
/// its end.
///
/// A mark without a process that holds the folder means that the host died in the middle of the
/// job.
struct HostMark {
    private let path: String

    /// Attempts after which a job is left to its user: it may be the job that crashes the host.
    static let mostAttempts = 3

    init(folder: String) { path = folder + "/host" }

    /// How often a host has started the job without finishing it; 0 without a mark.
    var attempts: Int {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return 0 }
        let count = Int(String(decoding: data.prefix(8), as: UTF8.self)) ?? Self.mostAttempts
        return min(max(count, 1), Self.mostAttempts)
    }

    /// Leaves the mark, with the next attempt.
    func leave() {
        // Without a mark the job waits for its user after a crash, as every other does.
        try? Data("\(attempts + 1)".utf8).write(to: URL(filePath: path), options: .atomic)
    }

    /// Removes the mark.
    func clear() { unlink(path) }
}

extension JobStore {
    /// The jobs during which a host died, the oldest first, without those during which several
    /// hosts died.
    public func leftByHost() -> [StoredJob] {
        jobs().filter { job in
            !job.isRunning
                && (1..<HostMark.mostAttempts).contains(HostMark(folder: job.folder).attempts)
        }
    }
}
