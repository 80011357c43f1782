import FoundationEssentials

/// The files in a job's folder that came to it by standard input or an upload, and that exist nowhere else.
enum OwnFiles {
    /// What standard input becomes.
    static let standardInput = "standard-input"
    /// How the names of uploads begin.
    static let uploadMark = "picture-"

    /// How many are in a job's folder.
    static func count(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { $0 == standardInput || $0.hasPrefix(uploadMark) }
    }
}
