import FileNames
import Glibc

extension HostConfiguration {
    /// The configuration of a program that a user starts.
    ///
    /// Manifests are looked for in the folders of `COPYSTAND_BACKENDS` (separated by colons), in
    /// `$XDG_DATA_HOME/copystand/backends`, in `../lib/copystand/backends` beside the program's folder, in
    /// `/usr/lib/copystand/backends`, and, for a program in a build folder of its package, in the folders of `Plugins`.
    /// Aliases and the default device are kept in `$XDG_CONFIG_HOME/copystand/devices.json`.
    ///
    /// - Parameters:
    ///   - environment: the environment to read; the process's own unless given.
    ///   - executable: the program's path; that of the running one (`/proc/self/exe`) unless given.
    public static func standard(
        environment: [String: String]? = nil, executable: String? = nil
    ) -> HostConfiguration {
        let folder = (executable ?? runningExecutable()).map(parentFolder)
        var folders = (variable("COPYSTAND_BACKENDS", environment) ?? "").split(separator: ":").map(
            String.init)
        folders.append(userBackendFolder(environment: environment))
        if let folder { folders.append(parentFolder(folder) + "/lib/copystand/backends") }
        if !folders.contains("/usr/lib/copystand/backends") {
            folders.append("/usr/lib/copystand/backends")
        }
        if let folder { folders += pluginFolders(above: folder) }
        return HostConfiguration(
            backendFolders: folders, programFolder: folder,
            stateFile: base("XDG_CONFIG_HOME", orHome: ".config", environment)
                + "/copystand/devices.json")
    }

    /// The folder of backends that a user installs: `$XDG_DATA_HOME/copystand/backends`.
    ///
    /// - Parameter environment: the environment to read; the process's own unless given.
    public static func userBackendFolder(environment: [String: String]? = nil) -> String {
        base("XDG_DATA_HOME", orHome: ".local/share", environment) + "/copystand/backends"
    }

    private static func variable(_ name: String, _ environment: [String: String]?) -> String? {
        let value = environment.map { $0[name] } ?? FileNames.variable(name)
        return value?.isEmpty == false ? value : nil
    }

    /// A base folder of the XDG specification, by which a relative path counts as unset.
    private static func base(
        _ name: String, orHome folder: String, _ environment: [String: String]?
    ) -> String {
        if let path = variable(name, environment), path.hasPrefix("/") { return path }
        return (variable("HOME", environment) ?? "/") + "/" + folder
    }

    /// The `Plugins` folder of the package in whose build folder a program lies, at most five folders up.
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
