import FileNames
import FoundationEssentials

/// The path from the root, since a backend may run in another folder.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileNames.currentFolder + "/" + path
}

/// A device's name as it was given, of a file's with its path from the root; nothing is a file's
/// path.
func absoluteDevice(_ name: String) -> String {
    let prefix = "file:"
    guard name.hasPrefix(prefix), name != prefix else { return name }
    return prefix + absolutePath(String(name.dropFirst(prefix.count)))
}
