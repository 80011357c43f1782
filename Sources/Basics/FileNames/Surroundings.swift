import Glibc

extension FileNames {
    /// The words of the command line, the program's own name first.
    public static var arguments: [String] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { text(cString: $0) }
        }
    }

    /// A variable of the environment; nil where it is not set.
    public static func variable(_ name: String) -> String? {
        getenv(name).map { text(cString: $0) }
    }

    /// Makes the environment's folders and files safe to read as text; must be called before
    /// anything else.
    ///
    /// Programs that this one starts get the original bytes.
    public static func readEnvironment() {
        var place = environ
        var changes: [(String, String)] = []
        while let variable = place.pointee {
            let words = text(cString: variable).split(separator: "=", maxSplits: 1)
            if words.count == 2, isPlace(words[0]), words[1].utf8.contains(0xF4) {
                changes.append((String(words[0]), String(words[1])))
            }
            place = place.successor()
        }
        for (name, value) in changes { setenv(name, value, 1) }
    }

    private static func isPlace(_ name: Substring) -> Bool {
        name.hasPrefix("XDG_") || name.hasPrefix("COPYSTAND_")
            || ["HOME", "TMPDIR", "PATH", "TESSDATA_PREFIX"].contains(String(name))
    }

    /// The current folder, however long its path is (`getcwd(3)`); `.` where it can't be found.
    public static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        // Linux puts this text before a folder that can't be reached from the root.
        let folder = text(cString: path)
        return folder.hasPrefix("/") ? folder : "."
    }

    /// The names in a folder, hidden ones included; nil where it can't be read (`readdir(3)`).
    public static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    text(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
