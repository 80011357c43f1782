import CPosix
import FoundationEssentials
import Glibc

/// A helper that has just been started: its process and the host's ends of its socket and of its
/// standard error.
struct LaunchedHelper {
    var process: pid_t
    var socket: Int32
    var errors: Int32
}

extension HelperCommand {
    /// Starts the program with a socket on descriptor 3, its output caught, and no other descriptor
    /// of ours.
    func launch() throws(HelperFailure) -> LaunchedHelper {
        var sockets: [Int32] = [-1, -1]
        var pipes: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &sockets) == 0 else { throw .notStarted(errno) }
        // A pipe cannot be made close-on-exec in one step from Swift; a pair of sockets can.
        guard socketpair(AF_UNIX, kind, 0, &pipes) == 0 else {
            let code = errno
            sockets.forEach { _ = close($0) }
            throw .notStarted(code)
        }
        let (code, process) = spawn(socket: sockets[1], errors: pipes[1])
        close(sockets[1])
        close(pipes[1])
        guard code == 0 else {
            close(sockets[0])
            close(pipes[0])
            throw .notStarted(code)
        }
        _ = fcntl(sockets[0], F_SETFL, O_NONBLOCK)
        _ = fcntl(pipes[0], F_SETFL, O_NONBLOCK)
        return LaunchedHelper(process: process, socket: sockets[0], errors: pipes[0])
    }

    private func spawn(socket: Int32, errors: Int32) -> (code: Int32, process: pid_t) {
        // Descriptors below 4 would be overwritten by one another on their way to 0…3.
        let socket = fcntl(socket, F_DUPFD_CLOEXEC, 4)
        let errors = fcntl(errors, F_DUPFD_CLOEXEC, 4)
        defer {
            close(socket)
            close(errors)
        }
        guard socket >= 0, errors >= 0 else { return (EMFILE, 0) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, errors, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        posix_spawn_file_actions_adddup2(&actions, socket, 3)
        posix_spawn_file_actions_addclosefrom_np(&actions, 4)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        // Its own group: Ctrl-C reaches the host alone, which decides what becomes of the page.
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)

        var process = pid_t()
        let code = withCStrings([program] + arguments) { arguments in
            withCStrings(Self.environment) { environment in
                posix_spawn(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        return (code, process)
    }

    /// The host's environment, with the engine's own threads off.
    ///
    /// They make it five times slower; its OpenMP reads the limit before `main`.
    private static var environment: [String] {
        let own = ["OMP_THREAD_LIMIT": "1"]
        let all = ProcessInfo.processInfo.environment.merging(own) { _, own in own }
        return all.map { "\($0.key)=\($0.value)" }
    }
}

/// Calls `body` with `strings` as a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
