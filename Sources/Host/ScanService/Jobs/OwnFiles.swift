import FoundationEssentials
import Glibc

/// The files in a job's folder that came to it by standard input or an upload, and that exist
/// nowhere else.
enum OwnFiles {
    /// The name for the first input that can be read only once.
    private static let standardInput = "standard-input"
    /// How the names of further ones begin.
    private static let inputMark = "input-"
    /// How the names of uploads begin.
    private static let uploadMark = "picture-"

    /// The name of the file for an input that can be read only once.
    ///
    /// - Parameter number: counts the inputs of a job from 0.
    static func name(ofInput number: Int) -> String {
        number == 0 ? standardInput : "\(inputMark)\(number + 1)"
    }

    /// The path of an upload, counted from 0.
    static func path(ofUpload number: Int, in folder: String) -> String {
        "\(folder)/\(uploadMark)\(number + 1)"
    }

    /// How many are in a job's folder; one without a byte does not count.
    static func count(in folder: String) -> Int { paths(in: folder).count }

    /// The files in a job's folder, in the order of their names; empty ones do not count.
    static func paths(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = names.filter {
            $0 == standardInput || $0.hasPrefix(inputMark) || $0.hasPrefix(uploadMark)
        }
        return own.sorted().map { "\(folder)/\($0)" }.filter { path in
            var status = stat()
            return lstat(path, &status) != 0 || status.st_size > 0
        }
    }
}
