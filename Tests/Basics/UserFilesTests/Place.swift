import FoundationEssentials
import Glibc

@testable import UserFiles

/// A test's own folder, which is removed with the value.
final class Place: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/copystand-files-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw UserFileError.failed("be created", "/tmp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders that lead to it, and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: parent(of: file), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(filePath: file))
        chmod(file, mode)
        return file
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path + "/" + name)), as: UTF8.self)
    }

    /// The names in the folder, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
