import BlockingWork
import CPosix
import Glibc

/// The program `build` in a backend's folder, which makes the backend's own program.
struct BackendBuild {
    /// Runs the build of a folder, where it has one, and reports one that fails.
    static func run(in folder: String, _ console: Console) async throws {
        guard let build = BackendBuild(folder) else { return }
        let status = try await build.run()
        if status != 0 { console.warn("'build' ended with status \(status).") }
    }

    private let folder: String

    /// The build of a folder; nil where it has none.
    init?(_ folder: String) {
        guard access(folder + "/build", X_OK) == 0 else { return nil }
        var about = stat()
        guard stat(folder + "/build", &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        self.folder = folder
    }

    /// Runs the build to its end; its output goes to standard error.
    ///
    /// - Returns: its exit status, 128 and more for a signal.
    /// - Throws: ``OutputFailure`` when it can't be started.
    func run() async throws -> Int {
        let process = try start()
        return await withTaskCancellationHandler {
            await onOwnThread {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                return Int(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
            }
        } onCancel: {
            // The build's child processes, such as a compiler, are in its group.
            kill(-process, SIGTERM)
        }
    }

    private func start() throws -> pid_t {
        let words = [folder + "/build"]
        var arguments = words.map { strdup($0) } + [nil]
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            arguments.forEach { free($0) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, folder)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var process: pid_t = 0
        let failure = posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ)
        guard failure == 0 else {
            throw OutputFailure(
                message: "'\(words[0])' can't be started: \(String(cString: strerror(failure)))")
        }
        return process
    }
}
