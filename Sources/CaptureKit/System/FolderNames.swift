import Glibc

/// The names in a folder in order, without hidden ones; none where it can't be read (`readdir`).
package func folderNames(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                String(cString: $0)
            }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}
