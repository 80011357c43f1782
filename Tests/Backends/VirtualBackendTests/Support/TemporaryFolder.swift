import FoundationEssentials

/// A folder that is deleted when the test no longer needs it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/virtual-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    /// Writes a gray picture of equal samples (PNM, P5).
    @discardableResult
    func writeGray(_ name: String, width: Int, height: Int, _ gray: UInt8) throws -> String {
        let header = [UInt8]("P5 \(width) \(height) 255\n".utf8)
        return try write(name, header + [UInt8](repeating: gray, count: width * height))
    }

    /// Writes a color picture of the given samples (PNM, P6).
    @discardableResult
    func writeColor(_ name: String, width: Int, height: Int, _ samples: [UInt8]) throws -> String {
        try write(name, [UInt8]("P6 \(width) \(height) 255\n".utf8) + samples)
    }
}

/// The folder of the repository's samples.
let samplesFolder: String = {
    var url = URL(filePath: #filePath)
    for _ in 0..<5 { url.deleteLastPathComponent() }
    return url.appending(path: "Samples").path
}()
