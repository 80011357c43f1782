import FoundationEssentials
import Glibc
import Recognition
import Synchronization

@testable import Readers

/// A folder that is removed at the end of the test.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        var name = Array(
            "\(FileManager.default.temporaryDirectory.path)/recognition-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&name))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The lines of a file in the folder; empty if it does not exist.
    func lines(of name: String) -> [String] {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

private let programs = ScratchFolder()
private let programCount = Atomic(0)

extension HelperCommand {
    /// The real helper, as a program beside the tests.
    static let real: HelperCommand = {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = tests.split(separator: "/").dropLast().joined(separator: "/")
        return HelperCommand(program: "/\(folder)/copystand-recognizer")
    }()

    /// A shell script in place of the helper; `$HELPER` is the real helper.
    static func script(_ text: String) -> HelperCommand {
        program("#!/bin/sh\nHELPER='\(real.program)'\n\(text)\n")
    }

    /// Writes a program with that text in place of the helper, and adds a first line that names its
    /// interpreter.
    static func program(_ text: String) -> HelperCommand {
        let path = "\(programs.path)/\(programCount.add(1, ordering: .relaxed).newValue)"
        _ = FileManager.default.createFile(
            atPath: path + ".new", contents: Data(text.utf8), attributes: [.posixPermissions: 0o700]
        )
        // Another process copies the program, because a program that this process writes can't be
        // run while a child that another thread starts still has it open.
        let arguments = ["/bin/cp", "-p", path + ".new", path]
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child = pid_t()
        if posix_spawn(&child, "/bin/cp", nil, nil, words, environ) == 0 { waitpid(child, nil, 0) }
        return HelperCommand(program: path)
    }
}
