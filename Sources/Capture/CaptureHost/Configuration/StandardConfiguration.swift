import FileNames
import FoundationEssentials
import Glibc
public import UserFiles

extension HostConfiguration {
    /// The configuration of a program that a user starts.
    ///
    /// Manifests are looked for in the folders of `COPYSTAND_BACKENDS` (separated by colons), in
    /// `$XDG_DATA_HOME/copystand/backends`, in `../lib/copystand/backends` beside the program's
    /// folder, in `/usr/lib/copystand/backends`, and, for a program in a build folder of its
    /// package, in the folders of `Plugins`. Aliases and the default device are kept in
    /// `$XDG_CONFIG_HOME/copystand/devices.json`.
    ///
    /// - Parameters:
    ///   - environment: the environment to read; the process's own unless given.
    ///   - executable: the program's path; that of the running one (`/proc/self/exe`) unless given.
    public static func standard(
        environment: [String: String]? = nil, executable: String? = nil
    ) -> HostConfiguration {
        let folder = (executable ?? runningExecutable()).map(parentFolder)
        let environment = environment ?? ProcessInfo.processInfo.environment
        let own = UserFolders(environment: environment)
        var folders = (environment["COPYSTAND_BACKENDS"] ?? "").split(separator: ":").map(
            String.init)
        if let data = try? own.path(.data) { folders.append(data + backends) }
        if let folder { folders.append(parentFolder(folder) + "/lib/copystand/backends") }
        if !folders.contains("/usr/lib/copystand/backends") {
            folders.append("/usr/lib/copystand/backends")
        }
        if let folder { folders += pluginFolders(above: folder) }
        let settings = (try? own.path(.config)) ?? ""
        var configuration = HostConfiguration(
            backendFolders: folders, programFolder: folder, stateFile: settings + "/devices.json")
        if let data = try? own.path(.data) { configuration.ownBackendFolders = [data + backends] }
        do { _ = try own.usable(.config) } catch { configuration.stateProblem = error }
        return configuration
    }

    /// The folder of backends that a user installs: `$XDG_DATA_HOME/copystand/backends`.
    ///
    /// - Parameter environment: the environment to read; the process's own unless given.
    /// - Throws: `UserFileError` when there is no such folder of the user's.
    public static func userBackendFolder(
        environment: [String: String]? = nil
    ) throws(UserFileError) -> String {
        let environment = environment ?? ProcessInfo.processInfo.environment
        return try UserFolders(environment: environment).usable(.data) + backends
    }

    private static let backends = "/backends"

    /// The `Plugins` folder of the package in whose build folder a program lies, at most five
    /// folders up.
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

/// The folder that holds `path`.
func parentFolder(_ path: String) -> String {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    return path.hasPrefix("/") ? "/" + parent : (parent.isEmpty ? "." : parent)
}
