import FoundationEssentials
import Glibc

/// Runs installed programs, so that tests can use independent judgments.
enum Tool {
    struct Failure: Error {
        let message: String
    }

    static func path(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    static func isInstalled(_ name: String) -> Bool { path(name) != nil }

    /// Runs a program with `input` as its standard input; returns its output and errors together.
    static func run(
        _ name: String, _ arguments: [String], input: String = ""
    ) throws -> (status: Int32, output: String) {
        guard let path = path(name) else { throw Failure(message: "\(name) is not installed") }
        var template = Array("/tmp/copystand-tool-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(message: "no folder for files") }
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(input.utf8).write(to: URL(filePath: folder + "/in"))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, folder + "/in", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, folder + "/out", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, path, &actions, nil, &words, environ)
        guard failure == 0 else {
            throw Failure(message: "\(path): \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let output = try Data(contentsOf: URL(filePath: folder + "/out"))
        return (
            status & 0x7F == 0 ? (status >> 8) & 0xFF : -1, String(decoding: output, as: UTF8.self)
        )
    }
}
