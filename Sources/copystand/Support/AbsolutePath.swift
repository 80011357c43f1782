import FoundationEssentials

/// The path from the root, since a backend may run in another folder.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
