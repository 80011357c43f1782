import FoundationEssentials
import Glibc
import Recognition

/// A folder that is gone when the test is over.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        var name = Array(
            "\(FileManager.default.temporaryDirectory.path)/recognition-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&name))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The lines of a file in the folder, none when it is not there.
    func lines(of name: String) -> [String] {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension HelperCommand {
    /// The real helper, as a program beside the tests.
    static let real: HelperCommand = {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = tests.split(separator: "/").dropLast().joined(separator: "/")
        return HelperCommand(program: "/\(folder)/copystand-recognizer")
    }()

    /// A shell script in the place of the helper; `$HELPER` is the real one.
    static func script(_ text: String) -> HelperCommand {
        HelperCommand(
            program: "/bin/sh", arguments: ["-c", "HELPER='\(real.program)'\n\(text)"])
    }
}
