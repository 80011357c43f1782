import Glibc
import GuardedFiles
import LiveCapture

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

/// The files in a job's folder that exist nowhere else: from standard input or an upload.
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
        let place = "\(folder)/\(name(ofUpload: number))"
        return file.name.map { "\(place)/\($0)" } ?? place
    }

    /// The name of an upload, counted from 0, or of its folder.
    static func name(ofUpload number: Int) -> String { "\(uploadMark)\(number + 1)" }

    /// The files in a job's folder, in the order of their names; empty ones do not count.
    ///
    /// - Throws: ``GuardedFileError`` when the folder, or one in it, can't be read.
    static func paths(in folder: String) throws(GuardedFileError) -> [String] {
        let place = try GuardedFolder.folder(at: folder)
        var names: [String] = []
        for name in try place.names() where isOwn(name) {
            if try place.status(name).map({ $0.st_mode & S_IFMT == S_IFDIR }) == true {
                names += try place.folder(name).names().map { "\(name)/\($0)" }
            } else {
                names.append(name)
            }
        }
        return names.filter { place.entry($0)?.st_size ?? 1 > 0 }.map(place.path)
    }

    private static func isOwn(_ name: String) -> Bool {
        name == standardInput || name.hasPrefix(inputMark) || name.hasPrefix(uploadMark)
    }

    /// The first thing that is not a file in a job's folder, or in the folder of one of its
    /// uploads; nil for none.
    ///
    /// - Throws: ``GuardedFileError`` when the folder can't be read.
    static func stranger(in place: GuardedFolder) throws(GuardedFileError) -> GuardedFileError? {
        if let found = try place.stranger(isFolder) { return found }
        for name in try place.names() where isFolder(name) {
            // A name may be that of a file.
            if let found = try place.ifUsable(name)?.stranger() { return found }
        }
        return nil
    }

    /// True for a name in a job's folder that an upload's folder, or that of a still, may have.
    private static func isFolder(_ name: String) -> Bool {
        name.hasPrefix(uploadMark) || name == stills
    }

    /// The name of the folder in which a camera's still is captured.
    static let stills = StillStore.folderName
}
