import CaptureKit
import Glibc

/// Explains to a program's author why the program could not be started.
///
/// The system says "No such file or directory" also when a script's interpreter is missing.
enum StartFailure {
    /// What is wrong with a program, according to the system's error.
    ///
    /// - Parameter failure: the `errno` of the failed `execve`.
    static func words(_ program: String, _ failure: Int32) -> String {
        guard let head = head(program) else { return systemMessage(failure) }
        if head.starts(with: Array("#!".utf8)) {
            let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
            if line.last == UInt8(ascii: "\r") {
                return
                    "its lines end as on Windows, so that its interpreter is not found. Convert it with: sed -i 's/\\r$//' '\(program)'"
            }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard let interpreter = words.first.map(String.init) else {
                return "its first line names no interpreter after '#!'"
            }
            if access(interpreter, F_OK) != 0 {
                return
                    "its interpreter '\(interpreter)', which its first line names, is not there. Install it, or correct the line"
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
                "the loader of its libraries is not there: it was built for another system. Build it for this one"
        }
        return systemMessage(failure)
    }

    /// The first bytes of a program; nil for a program that can't be read.
    private static func head(_ program: String) -> [UInt8]? {
        let file = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
