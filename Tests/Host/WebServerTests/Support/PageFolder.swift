import FoundationEssentials

/// The folder of the web page's files in the source tree.
enum PageFolder {
    static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Host/WebPage/files")

    /// The paths of all files below the folder.
    static func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).filter {
            let facts = try FileManager.default.attributesOfItem(atPath: url.path + "/" + $0)
            return facts[.type] as? FileAttributeType == .typeRegular
        }
    }
}
