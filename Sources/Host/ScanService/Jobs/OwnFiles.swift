import FoundationEssentials

/// The files in a job's folder that came to it by standard input or an upload, and that exist
/// nowhere else.
enum OwnFiles {
    /// What the first input becomes that can be read only once.
    private static let standardInput = "standard-input"
    /// How the names of further ones begin.
    private static let inputMark = "input-"
    /// How the names of uploads begin.
    static let uploadMark = "picture-"

    /// What an input becomes that can be read only once.
    ///
    /// - Parameter number: counts the inputs of a job from 0.
    static func name(ofInput number: Int) -> String {
        number == 0 ? standardInput : "\(inputMark)\(number + 1)"
    }

    /// How many are in a job's folder.
    static func count(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count {
            $0 == standardInput || $0.hasPrefix(inputMark) || $0.hasPrefix(uploadMark)
        }
    }
}
