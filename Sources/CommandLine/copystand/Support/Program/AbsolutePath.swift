import FileNames
import FoundationEssentials

/// The path from the root, because a backend may run in another folder.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileNames.currentFolder + "/" + path
}

/// A device's given name; for a file with its absolute path.
func absoluteDevice(_ name: String) -> String {
    let prefix = "file:"
    guard name.hasPrefix(prefix), name != prefix else { return name }
    return prefix + absolutePath(String(name.dropFirst(prefix.count)))
}
