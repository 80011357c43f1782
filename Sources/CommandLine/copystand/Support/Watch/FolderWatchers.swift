import BlockingWork
import CPosix
import Clocks
import FoundationEssentials
import Glibc
import Synchronization

/// The processes by which `copystand serve` watches folders: each is a `copystand watch-folder`, so
/// that a failing one does not affect the others.
final class FolderWatchers: Sendable {
    private struct State {
        var processes: Set<pid_t> = []
        var isStopping = false
    }

    private let state = Mutex(State())
    /// The variable with the process that a watcher works for.
    static let parent = "COPYSTAND_SERVED_BY"
    /// The seconds before an ended process is started again: the first delay, and the longest.
    private static let pauses = (first: 1.0, most: 60.0)

    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Watches folders until the task is canceled.
    func run(_ folders: [RememberedFolders.Folder], _ console: Console) async {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                for folder in folders { group.addTask { await self.watch(folder, console) } }
            }
        } onCancel: {
            stop()
        }
    }

    private func stop() {
        let processes = state.withLock { state in
            state.isStopping = true
            return state.processes
        }
        for process in processes { kill(process, SIGTERM) }
    }

    private func watch(_ folder: RememberedFolders.Folder, _ console: Console) async {
        var pause = Self.pauses.first
        while !Task.isCancelled {
            let run = Stopwatch(clock)
            do {
                let status = try await onOwnThread { [self] in try runOnce(folder) }
                if Task.isCancelled { return }
                console.warn(
                    "The watcher of '\(folder.path)' exited with status \(status), and is restarted."
                )
            } catch {
                console.warn("'\(folder.path)' can't be watched: \(error)")
            }
            // A watcher that ran well for a while is started again soon.
            let hasLasted = run.elapsed > .seconds(Self.pauses.most)
            pause = hasLasted ? Self.pauses.first : min(2 * pause, Self.pauses.most)
            await clock.pause(for: .seconds(pause))
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { String(cString: strerror(number)) }
    }

    /// Runs a process to its end.
    private func runOnce(_ folder: RememberedFolders.Folder) throws -> Int {
        let words = ["/proc/self/exe", "watch-folder"] + folder.words
        var variables = ProcessInfo.processInfo.environment
        variables[Self.parent] = String(getpid())
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] =
            variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, folder.directory)
        var process: pid_t = 0
        let failure = state.withLock { state in
            guard !state.isStopping else { return ECANCELED }
            let failure = posix_spawn(
                &process, "/proc/self/exe", &actions, nil, &arguments, &environment)
            if failure == 0 { state.processes.insert(process) }
            return failure
        }
        guard failure == 0 else { throw Failure(number: failure) }
        _ = cposix_await_exit(process)
        var status: Int32 = -1
        var signal: Int32 = 0
        // Another process may get the number after this one is reaped.
        _ = state.withLock { $0.processes.remove(process) }
        cposix_reap(process, &status, &signal)
        return Int(status)
    }

    /// True if the parent process is gone; false for a process that a person started.
    static var isOrphaned: Bool {
        ProcessInfo.processInfo.environment[parent].map { $0 != String(getppid()) } ?? false
    }
}
