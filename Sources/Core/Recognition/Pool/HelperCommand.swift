import FileNames
import Glibc

/// How a helper process is started: a program that does what `copystand-recognizer` does.
public struct HelperCommand: Hashable, Sendable {
    /// The path of the program.
    public var program: String
    /// The arguments after the program's name.
    public var arguments: [String]

    /// A helper started as `program` with `arguments`.
    public init(program: String, arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// `copystand-recognizer` beside the running program, as in a build folder, or in
    /// `../lib/copystand`, where it is installed.
    ///
    /// A program of its own, so that nothing but reading text pays for loading the engine and the
    /// forty libraries that it needs.
    public static let installed: HelperCommand = {
        let name = "copystand-recognizer"
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let running = FileNames.text(buffer.prefix(count))
        let folder = running.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let places = ["\(folder)/\(name)", "\(folder)/../lib/copystand/\(name)"]
        return HelperCommand(program: places.first { access($0, X_OK) == 0 } ?? places[1])
    }()
}
