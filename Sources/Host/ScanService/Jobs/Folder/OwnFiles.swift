import FoundationEssentials
import Glibc

/// A file that becomes a job's own.
public struct AdoptedFile: Hashable, Sendable {
    /// The file's path.
    public var path: String
    /// Its name for people; nil for none.
    public var name: String?

    /// A file.
    public init(path: String, name: String? = nil) {
        self.path = path
        self.name = name
    }
}

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

    /// The path of an upload, counted from 0: one with a name is in a folder of its own.
    static func path(ofUpload number: Int, _ file: AdoptedFile, in folder: String) -> String {
        let place = "\(folder)/\(uploadMark)\(number + 1)"
        return file.name.map { "\(place)/\($0)" } ?? place
    }

    /// The number of such files in a job's folder; empty files do not count.
    static func count(in folder: String) -> Int { paths(in: folder).count }

    /// The files in a job's folder, in the order of their names; empty ones do not count.
    static func paths(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = names.filter {
            $0 == standardInput || $0.hasPrefix(inputMark) || $0.hasPrefix(uploadMark)
        }
        let paths = own.sorted().map { "\(folder)/\($0)" }.flatMap { (path: String) -> [String] in
            guard let inside = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                return [path]
            }
            return inside.map { "\(path)/\($0)" }
        }
        return paths.filter { path in
            var status = stat()
            return lstat(path, &status) != 0 || status.st_size > 0
        }
    }
}
