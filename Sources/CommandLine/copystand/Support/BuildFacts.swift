import FoundationEssentials

/// What `copystand --version --verbose` tells of the program: where it comes from, and what it is
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

    /// The commit, which packages and releases write beside the program's other files.
    private var origin: String {
        let path =
            program.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
            + "/share/doc/copystand/commit"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
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
        let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let paths = (maps ?? "").split(separator: "\n").compactMap { line in
            line.split(separator: " ", maxSplits: 5).last.map(String.init)
        }
        let files = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
        return files.compactMap { file -> String? in
            guard let end = file.firstRange(of: ".so") else { return nil }
            let version = file[end.upperBound...].drop { $0 == "." }
            return version.isEmpty ? nil : "\(file[..<end.lowerBound]) \(version)"
        }.sorted()
    }
}
