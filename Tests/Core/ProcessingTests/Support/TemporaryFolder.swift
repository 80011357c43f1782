import FoundationEssentials
import Glibc

/// A test's temporary folder, which is removed with its contents at the end of the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/copystand-processing-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
}
