import FoundationEssentials
import Glibc

/// The built program, in the same folder as the bundle of these tests.
enum BuiltProgram {
    struct Failure: Error {
        let message: String
    }

    /// The exit code of a run and the text that the run wrote.
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    static var path: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let parts = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "/")
        return "/" + parts.dropLast().joined(separator: "/") + "/copystand"
    }

    /// Runs the program with a separate home folder.
    static func run(
        _ arguments: [String], in home: TemporaryFolder, environment: [String: String] = [:],
        outputTo file: String? = nil
    ) throws -> Outcome {
        try spawn(path, arguments, in: home, environment: environment, outputTo: file).wait()
    }

    /// Runs a shell line, in which `$P` is the program.
    static func shell(
        _ line: String, in home: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> Outcome {
        let variables = environment.merging(["P": path]) { $1 }
        return try spawn("/bin/sh", ["-c", line], in: home, environment: variables).wait()
    }

    /// Starts a program without waiting for its end.
    static func spawn(
        _ path: String, _ arguments: [String], in home: TemporaryFolder,
        environment: [String: String] = [:], outputTo file: String? = nil
    ) throws -> Running {
        var variables = [
            "PATH": "/usr/bin:/bin", "HOME": home.path, "TERM": "xterm", "USER": "reader",
        ]
        variables.merge(environment) { $1 }
        let run = try home.folder()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, file ?? run + "/out", O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, run + "/errors", O_WRONLY | O_CREAT, 0o600)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + pairs).forEach { free($0) } }
        // The tests' threads block most signals; a shell's child processes start with none blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child: pid_t = 0
        let failure = posix_spawn(&child, path, &actions, &attributes, &words, &pairs)
        guard failure == 0 else {
            throw Failure(message: "\(path): \(String(cString: strerror(failure)))")
        }
        return Running(process: child, folder: run)
    }

    /// A running program.
    struct Running {
        let process: pid_t
        let folder: String

        /// Waits for its end.
        ///
        /// A signal's number is added to 128, as in a shell.
        func wait() throws -> Outcome {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            return Outcome(status: code, output: text("out"), errors: text("errors"))
        }

        /// Ends the program immediately and reaps it, because swift-testing waits forever for its
        /// own processes if a process is not reaped.
        func remove() {
            kill(process, SIGKILL)
            _ = try? wait()
        }

        private func text(_ name: String) -> String {
            (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
                .map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}

/// A folder that is removed with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/copystand-program-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BuiltProgram.Failure(message: "no folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a folder within this folder.
    func folder() throws -> String {
        var template = Array("\(path)/XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BuiltProgram.Failure(message: "no folder") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file, and makes its folders if necessary.
    @discardableResult
    func write(_ name: String, _ text: String = "", mode: mode_t = 0o644) throws -> String {
        let file = "\(path)/\(name)"
        let parent = file.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: "/" + parent, withIntermediateDirectories: true)
        // Another process writes the file, since a child that another test starts at this moment
        // would keep it open for writing, and then the kernel refuses to run it.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        let bytes = Array(text.utf8)
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CocoaError(.fileWriteUnknown)
        }
        close(descriptor)
        chmod(file, mode)
        return file
    }
}
