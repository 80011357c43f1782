import CaptureKit
package import Glibc

/// The processes with a text in their environment or their arguments, each with its arguments.
package func processes(with mark: String) -> [(id: pid_t, arguments: String)] {
    folderNames("/proc").compactMap { name in
        guard let id = pid_t(name) else { return nil }
        let arguments = text("/proc/\(id)/cmdline")
        guard arguments.contains(mark) || text("/proc/\(id)/environ").contains(mark) else {
            return nil
        }
        return (id, arguments)
    }
}

private func text(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}
