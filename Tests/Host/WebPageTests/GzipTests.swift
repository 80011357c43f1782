import Foundation
import Testing

@testable import WebPage

@Suite("Compressed files of the page") struct GzipTests {
    @Test("Another program unpacks packed data to the same bytes", arguments: [0, 1, 70_000])
    func round(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let packed = try #require(gzipped(bytes))
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "packed.gz")
        try Data(packed).write(to: file)
        let unpacker = Process()
        unpacker.executableURL = URL(filePath: "/usr/bin/gunzip")
        unpacker.arguments = [file.path]
        try unpacker.run()
        unpacker.waitUntilExit()
        #expect(unpacker.terminationStatus == 0)
        #expect([UInt8](try Data(contentsOf: folder.appending(path: "packed"))) == bytes)
    }

    @Test(
        "Only a browser that accepts packed data gets packed data",
        arguments: [
            ("gzip, deflate, br", true), ("deflate;q=0.5, GZIP ; q=0.3", true), ("gzip;q=0", false),
            ("br", false), ("x-gzip", false), ("", false), (",;,q=1", false),
        ])
    func accepted(header: String, takes: Bool) {
        #expect(acceptsGzip(header) == takes)
        #expect(!acceptsGzip(nil))
    }
}
