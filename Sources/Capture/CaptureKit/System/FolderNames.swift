import FileNames

/// The names in a folder in order, without hidden ones; none where it can't be read.
package func folderNames(_ folder: String) -> [String] {
    (FileNames.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }.sorted()
}
