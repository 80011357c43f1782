import CSQLite
import Glibc

/// The state of a database's files, which shows whether someone has written to them meanwhile.
struct StillFiles: Hashable {
    /// True if everything is in the database itself: nothing waits in a log or a journal.
    let hasNoLog: Bool
    private let path: String
    private let states: [FileState?]

    /// The files of the database at `path` as they are now.
    ///
    /// A file gets its times from a clock that ticks some hundred times a second. This waits until
    /// the tick of the last change is over, so that the next change gets another time.
    init(_ path: String) {
        var found = Self.look(path)
        for _ in 0..<3 where found.changedThisTick {
            sqlite3_sleep(5)
            found = Self.look(path)
        }
        self.path = path
        states = found.states
        hasNoLog = found.hasNoLog
    }

    /// True if no file has changed since.
    var areUnchanged: Bool { Self.look(path).states == states }

    private static func look(
        _ path: String
    ) -> (states: [FileState?], hasNoLog: Bool, changedThisTick: Bool) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        var (states, hasNoLog, changedThisTick) = ([FileState?](), true, false)
        for ending in ["", "-wal", "-journal"] {
            var status = stat()
            guard stat(path + ending, &status) == 0 else {
                states.append(nil)
                continue
            }
            states.append(FileState(status))
            if !ending.isEmpty, status.st_size > 0 { hasNoLog = false }
            let changed = status.st_ctim
            if (changed.tv_sec, changed.tv_nsec) >= (now.tv_sec, now.tv_nsec) {
                changedThisTick = true
            }
        }
        return (states, hasNoLog, changedThisTick)
    }
}
