import FoundationEssentials

/// A folder for one test, removed with its last reference.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.path + "/copystand-import-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, makes the folders in `name`, and returns the path.
    @discardableResult
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        if let slash = file.lastIndex(of: "/") {
            try FileManager.default.createDirectory(
                atPath: String(file[..<slash]), withIntermediateDirectories: true)
        }
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}

extension Scratch {
    /// The bytes of a file.
    static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }
}

extension Scratch {
    /// Makes a folder and returns its path.
    func folder(_ name: String) throws -> String {
        let folder = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
