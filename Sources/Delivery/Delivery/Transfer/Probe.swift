import FoundationEssentials
import Glibc

/// A small file with which a sink is tried.
final class Probe {
    let mark: String
    let path: String
    let file: OutboxItem.File
    private let folder: String

    /// Writes the file into a new folder, which is removed with this object.
    ///
    /// - Throws: ``DeliveryError`` when the disk refuses it.
    init() throws(DeliveryError) {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-probe-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DeliveryError.disk(errno, "make", "a temporary folder", in: base)
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mark = String(folder.suffix(6))
        path = folder + "/probe.txt"
        let text = "Copystand tests this folder, and removes this file. \(mark)\n"
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw DeliveryError(.inputOutput, "'\(path)' can't be written: \(error)")
        }
        file = OutboxItem.File(
            name: "probe.txt", mediaType: "text/plain", bytes: text.utf8.count,
            sha256: try fileHash(path))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
