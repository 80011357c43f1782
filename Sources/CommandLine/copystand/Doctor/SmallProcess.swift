import BlockingWork
import FoundationEssentials
import Glibc

/// Runs a program that prints a little and ends soon.
enum SmallProcess {
    /// The program's standard output.
    ///
    /// The program is killed after `deadline`, or when it prints more than 1 MiB.
    ///
    /// The output is empty when the program can't be started. The call blocks, on a separate
    /// thread.
    static func output(
        of path: String, arguments: [String] = [], environment: [String: String], deadline: Duration
    ) async -> String {
        await onOwnThread { run(path, arguments, environment, until: .now + deadline) }
    }

    private static func run(
        _ path: String, _ arguments: [String], _ environment: [String: String],
        until end: ContinuousClock.Instant
    ) -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return "" }
        defer { close(ends[0]) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        guard let child = spawn(path, arguments, environment, output: ends[1]) else {
            close(ends[1])
            return ""
        }
        close(ends[1])
        let output = read(ends[0], until: end)
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return String(decoding: output, as: UTF8.self)
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], output: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if output > 2 { posix_spawn_file_actions_addclose(&actions, output) }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawn(&child, path, &actions, nil, &words, &variables) == 0 ? child : nil
    }

    private static func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while output.count < 1 << 20 {
            let left = max(.zero, end - .now) / .milliseconds(1)
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Int32(min(left, 60_000)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output.append(contentsOf: chunk.prefix(count))
        }
        return output
    }
}
