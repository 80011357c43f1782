import Glibc

/// The result of a program's run.
struct ToolResult {
    var status: Int32
    var output: String
    var errors: String
}

/// Runs a program that reads the sinks' files.
func run(_ arguments: String...) throws -> ToolResult { try run(arguments) }

/// Runs a program with the arguments that follow its name.
func run(_ arguments: [String]) throws -> ToolResult {
    let folder = try TemporaryFolder()
    let outputPath = folder.path + "/out"
    let errorsPath = folder.path + "/err"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorsPath, flags, 0o600)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { pointers.forEach { free($0) } }
    var child: pid_t = 0
    let failure = posix_spawnp(&child, arguments[0], &actions, nil, pointers, environ)
    guard failure == 0 else { throw ToolMissing(name: arguments[0]) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    return ToolResult(
        status: code, output: String(decoding: try contents(outputPath), as: UTF8.self),
        errors: String(decoding: try contents(errorsPath), as: UTF8.self))
}

/// A program the tests need is not installed.
struct ToolMissing: Error, CustomStringConvertible {
    var name: String
    var description: String { "'\(name)' is not installed" }
}

/// A folder for one test, which is removed with its content when the test releases the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/copystand-delivery-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXFailure(errno) }
        path = String(cString: made)
    }

    deinit { removeTree(path) }

    /// Everything in the folder, hidden files included, in order.
    var names: [String] { namesIn(path) }
}

struct POSIXFailure: Error {
    var number: Int32
    init(_ number: Int32) { self.number = number }
}

func namesIn(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}

func removeTree(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
        for name in namesIn(path) { removeTree(path + "/" + name) }
        rmdir(path)
    } else {
        unlink(path)
    }
}

func contents(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw POSIXFailure(errno) }
    defer { close(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        guard count >= 0 else { throw POSIXFailure(errno) }
        if count == 0 { return result }
        result += buffer[..<count]
    }
}

func text(_ path: String) throws -> String { String(decoding: try contents(path), as: UTF8.self) }

func put(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw POSIXFailure(errno) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { throw POSIXFailure(errno) }
}
