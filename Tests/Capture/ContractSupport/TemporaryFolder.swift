import Glibc

/// A folder that is deleted with its contents when the last reference is released.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes a folder in the system's folder for temporary files.
    public init() throws {
        var template = Array("/tmp/copystand-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw ContractViolation("no temporary folder could be made: error \(errno)")
        }
        path = String(cString: made)
    }

    /// The path of `name` within the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The names in the folder, sorted.
    public func names() -> [String] { TemporaryFolder.names(in: path) }

    deinit { TemporaryFolder.delete(path) }

    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func delete(_ path: String) {
        for name in names(in: path) {
            let child = path + "/" + name
            if unlink(child) != 0 { delete(child) }
        }
        rmdir(path)
    }
}
