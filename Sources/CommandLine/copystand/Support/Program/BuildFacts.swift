import ExpectedFailures
import FoundationEssentials
import Glibc

/// The facts in `copystand --version --verbose`: the program's source, and the libraries that it is
/// linked with.
struct BuildFacts {
    private let program: String

    /// The facts of this process's own program.
    init() { program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path }

    /// The lines after the version.
    var lines: [String] {
        [
            origin, "compiler: Swift \(Self.compiler)",
            "libraries: \(libraries.joined(separator: ", "))",
        ]
    }

    /// The commit, which packages and releases store next to the program's other files.
    private var origin: String {
        let path =
            program.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
            + "/share/doc/copystand/commit"
        guard let text = ifSupported({ try String(contentsOfFile: path, encoding: .utf8) }),
            let line = text.split(whereSeparator: \.isNewline).first
        else { return "commit: not known; the program is not from a package" }
        return "commit: \(line)"
    }

    private static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "before 6.3"
        #endif
    }

    /// The libraries that are loaded, each with the version in its file's name: `libqpdf 29.3.0`.
    private var libraries: [String] {
        Set(Self.mappedFiles).compactMap { file -> String? in
            guard let end = file.firstRange(of: ".so") else { return nil }
            let version = file[end.upperBound...].drop { $0 == "." }
            return version.isEmpty ? nil : "\(file[..<end.lowerBound]) \(version)"
        }.sorted()
    }

    /// The names of the files that are in this process's memory (proc(5), maps).
    private static var mappedFiles: [String] {
        guard let maps = fopen("/proc/self/maps", "re") else { return [] }
        defer { fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        var names: [String] = []
        while getline(&line, &room, maps) > 0, let line {
            guard let name = String(cString: line).split(separator: "/").last else { continue }
            names.append(name.filter { $0 != "\n" })
        }
        return names
    }
}
