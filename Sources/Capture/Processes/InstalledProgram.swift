import FileNames
import Glibc

/// Finds Copystand's own programs that the running one starts.
package enum InstalledProgram {
    /// The path of such a program: next to the running one, as in a build folder, or in
    /// `../lib/copystand`, as in an installation.
    package static func path(_ name: String) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let running = FileNames.text(buffer.prefix(count))
        let folder = running.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let places = ["\(folder)/\(name)", "\(folder)/../lib/copystand/\(name)"]
        return places.first { access($0, X_OK) == 0 } ?? places[1]
    }
}
