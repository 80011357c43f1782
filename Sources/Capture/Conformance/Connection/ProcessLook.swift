import CaptureKit
import ExpectedFailures
import FoundationEssentials
import Glibc

/// The system's information about a running process (`proc(5)`).
struct ProcessLook {
    let id: pid_t

    /// The open descriptors, each with the file that it leads to; empty when the process has ended.
    var descriptors: [Int: String] {
        var found: [Int: String] = [:]
        for name in folderNames("/proc/\(id)/fd") {
            guard let number = Int(name) else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = max(0, readlink("/proc/\(id)/fd/\(name)", &buffer, buffer.count))
            found[number] = String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return found
    }

    /// The bytes of private memory in use (`RssAnon`); nil when the process has ended.
    var memory: Int? {
        let status = asHint { try Data(contentsOf: URL(filePath: "/proc/\(id)/status")) }
        guard let data = status else { return nil }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix("RssAnon:")
        }
        let words = line?.split { $0 == " " || $0 == "\t" } ?? []
        return words.count > 1 ? Int(words[1]).map { $0 << 10 } : nil
    }
}
