import FileNames
import FoundationEssentials
import Glibc
import UserFiles

/// The places where modules of one kind, such as backends or readers, are looked for.
struct ModulePlaces {
    /// The folders, in the order of the search.
    var folders: [String]
    /// The folder into which a user installs modules: `$XDG_DATA_HOME/copystand/<kind>`.
    var own: String?
    /// The folder of the host's own program.
    var programFolder: String?

    /// The places of modules whose folders are called `kind`: those in `COPYSTAND_<KIND>`, the
    /// user's own, those of an installation, and `Plugins` of a package in its build folder.
    init(kind: String, environment: [String: String], executable: String? = nil) {
        let folder = (executable ?? runningExecutable()).map(parentFolder)
        let named = environment["COPYSTAND_" + kind.uppercased()] ?? ""
        folders = named.split(separator: ":").map(String.init)
        own = UserFolders(environment: environment).knownPath(.data).map { $0 + "/" + kind }
        if let own { folders.append(own) }
        if let folder { folders.append(parentFolder(folder) + "/lib/copystand/" + kind) }
        let shared = "/usr/lib/copystand/" + kind
        if !folders.contains(shared) { folders.append(shared) }
        if let folder { folders += Self.pluginFolders(above: folder) }
        programFolder = folder
    }

    /// The `Plugins` folder of a package, for a program in the package's build folder; looks at
    /// most five folders up.
    private static func pluginFolders(above folder: String) -> [String] {
        var folder = folder
        for _ in 0..<5 {
            folder = parentFolder(folder)
            if isReadable(folder + "/Package.swift") && isReadable(folder + "/Plugins") {
                return [folder + "/Plugins"]
            }
        }
        return []
    }

    private static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}

/// The path of the running program.
func runningExecutable() -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? FileNames.text(buffer.prefix(count)) : nil
}

/// The path of the folder that holds `path`.
func parentFolder(_ path: String) -> String {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    return path.hasPrefix("/") ? "/" + parent : (parent.isEmpty ? "." : parent)
}
