import CaptureKit
import Glibc

/// Explains to a program's author why the program could not be started.
///
/// The system also reports "No such file or directory" when a script's interpreter is missing.
enum StartFailure {
    /// The fault of a program, from the system's error.
    ///
    /// - Parameter failure: the `errno` of the failed `execve`.
    static func words(_ program: String, _ failure: Int32) -> String {
        guard let head = head(program) else { return systemMessage(failure) }
        if let line = firstLine(head) {
            if line.hasSuffix("\r") { return windowsWords(program) }
            let words = line.split(separator: " ")
            guard let interpreter = words.first.map(String.init) else {
                return "its first line names no interpreter after '#!'"
            }
            if access(interpreter, F_OK) != 0 {
                return
                    "its interpreter '\(interpreter)', which its first line names, does not exist. Install it, or correct the line"
            }
            if access(interpreter, X_OK) != 0 {
                return "its interpreter '\(interpreter)' is not executable"
            }
        }
        if failure == EACCES, access(program, X_OK) != 0 {
            return "it is not executable. Make it so with: chmod +x '\(program)'"
        }
        if failure == ENOEXEC {
            return head.starts(with: [0x7F, 0x45, 0x4C, 0x46])
                ? "it is a program for another kind of processor. Build it for this machine"
                : "it is neither a program nor a script whose first line begins with '#!'"
        }
        if failure == ENOENT, head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
            return
                "the loader of its libraries does not exist: it was built for another system. Build it for this one"
        }
        return systemMessage(failure)
    }

    /// The reason why a script that names its interpreter by `env` can't be started; nil if no
    /// reason is known.
    ///
    /// The system starts such a script: only then does `env` find that the interpreter is missing.
    ///
    /// - Parameter variables: the environment that the program gets, as `NAME=value`.
    static func words(_ program: String, variables: [String]) -> String? {
        guard let line = head(program).flatMap(firstLine) else { return nil }
        if line.hasSuffix("\r") { return windowsWords(program) }
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].hasSuffix("/env"),
            let path = variables.first(where: { $0.hasPrefix("PATH=") })?.dropFirst(5)
        else { return nil }
        // Without -S the system gives `env` the rest of the line as one word.
        var words = [parts[1].split(separator: " ").joined(separator: " ")]
        if words[0].hasPrefix("-S") {
            words = words[0].dropFirst(2).split(separator: " ").map(String.init)
            words = Array(words.drop { $0.contains("=") })
        }
        guard let name = words.first, !name.hasPrefix("-"), !name.contains("/") else { return nil }
        let isThere = path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
        if isThere { return nil }
        return name.contains(" ")
            ? "'env' looks for a program with the name '\(name)', which its first line gives. Write '\(parts[0]) -S \(name)'"
            : "its interpreter '\(name)', which its first line names, is not in the PATH. Install it, or correct the line"
    }

    private static func windowsWords(_ program: String) -> String {
        "its lines end as on Windows, so that its interpreter is not found. Convert it with: sed -i 's/\\r$//' '\(program)'"
    }

    /// The text after `#!` in a script; nil for another program.
    private static func firstLine(_ head: [UInt8]) -> String? {
        guard head.starts(with: Array("#!".utf8)) else { return nil }
        let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self)
        return String(text.drop { $0 == " " })
    }

    /// The first bytes of a program; nil for one that can't be read.
    private static func head(_ program: String) -> [UInt8]? {
        let file = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
