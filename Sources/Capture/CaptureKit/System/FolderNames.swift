import FileNames

/// The sorted names in a folder, without hidden ones; empty where it can't be read.
package func folderNames(_ folder: String) -> [String] {
    (FileNames.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }.sorted()
}
