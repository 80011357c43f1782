import FoundationEssentials
import Glibc
import Synchronization

/// A backend in Python that follows the protocol except for one fault (`faulty.py`), as a program
/// in a separate folder.
final class FaultyBackend {
    /// The program's path, whose last part is the fault's name.
    let program: String
    private let folder: Folder
    private let shared: Folder

    init(_ fault: String) throws {
        folder = try Folder()
        shared = try Self.shared()
        program = folder.path + "/" + (fault.isEmpty ? "faultless" : fault)
        guard symlink(shared.path + "/backend", program) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// The folder of the program for all faults.
    private static func shared() throws -> Folder {
        try common.withLock { common in
            if let folder = common.folder { return folder }
            let folder = try Folder()
            try folder.write("faulty.code", compiled.get())
            _ = try folder.program(
                "backend",
                """
                #!/usr/bin/python3 -IS
                import marshal
                FAULT = __file__.rpartition("/")[2]
                with open("\(folder.path)/faulty.code", "rb") as file:
                    exec(marshal.load(file))

                """)
            common.folder = folder
            return folder
        }
    }

    /// The compiled program, which the backends in use keep.
    private struct Common: Sendable { weak var folder: Folder? }
    private static let common = Mutex(Common())

    private static let file =
        URL(filePath: #filePath).deletingLastPathComponent().path + "/faulty.py"

    /// The program's text.
    static let source = (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? ""

    /// The program, compiled once by Python: tests start it thousands of times, and Python would
    /// otherwise compile it each time.
    private static let compiled = Result {
        let command = """
            import marshal, sys
            with open(sys.argv[1]) as file: code = compile(file.read(), sys.argv[1], "exec")
            sys.stdout.buffer.write(marshal.dumps(code))
            """
        guard let output = popen("/usr/bin/python3 -IS -c '\(command)' '\(file)'", "re") else {
            throw CocoaError(.fileReadUnknown)
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, output), count > 0 {
            bytes += piece.prefix(count)
        }
        guard pclose(output) == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return bytes
    }

    /// The faults in the program's text: the names in quotes after `faulty(`.
    static var known: Set<String> {
        var names: Set<String> = []
        for call in source.split(separator: "faulty(\"").dropFirst() {
            names.insert(String(call.prefix { $0 != "\"" }))
        }
        return names
    }
}
