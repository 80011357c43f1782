import BlockingWork
import Glibc
import Synchronization

/// Waits for new or changed files in folders (inotify(7)).
///
///     let changes = FolderChanges()
///     while changes.watch(["/srv/scans"]) {
///         …
///         await changes.wait(atMost: 5)
///     }
public final class FolderChanges: Sendable {
    private let descriptor: Int32
    private let queue = OwnQueue(label: "copystand.folder-changes")
    /// The system's numbers for the watched folders.
    private let watched = Mutex<Set<Int32>>([])
    private let seesWrites: Bool

    /// Starts without a folder.
    ///
    /// - Parameter seesWrites: true to report each write to a file, not only its closing.
    public init(seesWrites: Bool = false) {
        self.seesWrites = seesWrites
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    }

    deinit { close(descriptor) }

    /// Watches folders from now on; those that are watched already stay so.
    ///
    /// - Returns: false when one of them can't be watched, because it is gone or the system's limit
    ///   is reached (`/proc/sys/fs/inotify`). Such a folder has to be polled.
    public func watch(_ folders: [String]) -> Bool {
        let events =
            [IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_TO, IN_ATTRIB, IN_ONLYDIR]
            + (seesWrites ? [IN_MODIFY] : [])
        let mask = events.reduce(UInt32(0)) { $0 | UInt32(truncatingIfNeeded: $1) }
        let numbers = folders.map { inotify_add_watch(descriptor, $0, mask) }
        watched.withLock { $0.formUnion(numbers.filter { $0 >= 0 }) }
        return !numbers.contains { $0 < 0 }
    }

    /// Returns once a change has arrived since the last call, after this many seconds, or when the
    /// task is canceled.
    public func wait(atMost seconds: Double) async {
        await withTaskCancellationHandler {
            await queue.run { [descriptor] in
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&request, 1, Int32(seconds * 1000))
                var events = [UInt8](repeating: 0, count: 1 << 16)
                while read(descriptor, &events, events.count) > 0 {}
            }
        } onCancel: {
            // The system reports that a folder is no longer watched, and so ends the wait.
            for number in watched.withLock(\.self) { inotify_rm_watch(descriptor, number) }
        }
    }
}
