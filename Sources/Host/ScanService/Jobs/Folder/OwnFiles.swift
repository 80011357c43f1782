import FoundationEssentials
import Glibc

/// The files in a job's folder that came by standard input or upload, and exist nowhere else.
enum OwnFiles {
    /// The name for the first input that can be read only once.
    private static let standardInput = "standard-input"
    /// The beginning of the names of further inputs.
    private static let inputMark = "input-"
    /// The beginning of the names of uploads.
    private static let uploadMark = "picture-"

    /// The name of the file for an input that can be read only once.
    ///
    /// - Parameter number: the index of the input in the job, from 0.
    static func name(ofInput number: Int) -> String {
        number == 0 ? standardInput : "\(inputMark)\(number + 1)"
    }

    /// The path of an upload, counted from 0.
    static func path(ofUpload number: Int, in folder: String) -> String {
        "\(folder)/\(uploadMark)\(number + 1)"
    }

    /// The number of such files in a job's folder; empty files do not count.
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
