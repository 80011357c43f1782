import FileNames
import FoundationEssentials
import Glibc
public import UserFiles

extension HostConfiguration {
    /// The configuration of a program that a user starts.
    ///
    /// Manifests are looked for in these folders: those of `COPYSTAND_BACKENDS` (separated by
    /// colons), `$XDG_DATA_HOME/copystand/backends`, `../lib/copystand/backends` next to the
    /// program's folder, `/usr/lib/copystand/backends`, and, for a program in a build folder of its
    /// package, the folders of `Plugins`. Aliases and the default device are kept in
    /// `$XDG_CONFIG_HOME/copystand/devices.json`. With `COPYSTAND_ATTACH`, the host waits for a
    /// backend at that path.
    ///
    /// - Parameters:
    ///   - environment: the environment to read; the process's own unless given.
    ///   - executable: the program's path; that of the running one (`/proc/self/exe`) unless given.
    public static func standard(
        environment: [String: String]? = nil, executable: String? = nil
    ) -> HostConfiguration {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let places = ModulePlaces(
            kind: "backends", environment: environment, executable: executable)
        let own = UserFolders(environment: environment)
        let settings = own.knownPath(.config) ?? ""
        var configuration = HostConfiguration(
            backendFolders: places.folders, programFolder: places.programFolder,
            stateFile: settings + "/devices.json")
        configuration.ownBackendFolders = Set([places.own].compactMap { $0 })
        do { _ = try own.usable(.config) } catch { configuration.stateProblem = error }
        if let path = environment[AttachPoint.variable], !path.isEmpty {
            do throws(HostError) {
                configuration.attach = try AttachPoint(path)
            } catch {
                configuration.attachProblem = error
            }
        }
        return configuration
    }

    /// The folder of backends that a user installs: `$XDG_DATA_HOME/copystand/backends`.
    ///
    /// - Parameter environment: the environment to read; the process's own unless given.
    /// - Throws: `UserFileError` when this user has no such folder.
    public static func userBackendFolder(
        environment: [String: String]? = nil
    ) throws(UserFileError) -> String {
        let environment = environment ?? ProcessInfo.processInfo.environment
        return try UserFolders(environment: environment).usable(.data) + "/backends"
    }

}
