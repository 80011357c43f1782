import FoundationEssentials
import HTTPServer
import Testing

@testable import WebServer

/// Tests parts of pictures, as requested by `Range`.
@Suite struct PartialContentTests {
    @Test(
        "Ranges follow RFC 9110, and anything else gives the whole file",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=2-", .part(2..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=2-99", .part(2..<10)), ("bytes=-99", .part(0..<10)),
            ("BYTES=1-2", .part(1..<3)),
            ("bytes=10-", .none), ("bytes=10-12", .none), ("bytes=-0", .none),
            ("bytes=3-2", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("bytes=0-1,4-5", .whole), ("items=0-1", .whole), ("bytes=+1-2", .whole), ("", .whole),
            ("bytes=0-99999999999999999999", .whole), ("bytes=--1", .whole), ("bytes=0 -1", .whole),
        ] as [(String, ByteRange)])
    func ranges(_ header: String, _ expected: ByteRange) {
        #expect(ByteRange(header, of: 10) == expected)
    }

    @Test(
        "No pair of numbers stops the host, and every part lies within the file",
        arguments: NumberEdges.all)
    func edges(_ first: String) throws {
        for last in NumberEdges.all {
            for count in [0, 1, 10, Int.max] {
                for header in [
                    "bytes=\(first)-\(last)", "bytes=\(first)-\(last),\(last)-\(first)",
                    "bytes=\(first)-\(last)-", "bytes=-\(first)",
                ] {
                    guard case .part(let range) = ByteRange(header, of: count) else { continue }
                    #expect(range.lowerBound >= 0 && range.upperBound <= count && !range.isEmpty)
                }
            }
            _ = try? answer([("Range", "bytes=\(first)-\(last)")])
        }
    }

    @Test("The last byte of a range may be any number")
    func largest() {
        #expect(ByteRange("bytes=0-9223372036854775807", of: 10) == .part(0..<10))
        #expect(ByteRange("bytes=9223372036854775807-9223372036854775807", of: 10) == .none)
        #expect(ByteRange("bytes=-9223372036854775807", of: 10) == .part(0..<10))
        #expect(ByteRange("bytes=0-9223372036854775807", of: .max) == .part(0..<(.max)))
    }

    @Test("An empty file has no ranges")
    func empty() {
        #expect(ByteRange("bytes=0-0", of: 0) == .none)
        #expect(ByteRange("bytes=-1", of: 0) == .none)
    }

    /// The answer for a picture of ten bytes.
    private func answer(
        _ headers: [(name: String, value: String)], method: String = "GET", tag: String? = "\"t\""
    ) throws -> HTTPResponse {
        let path = FileManager.default.temporaryDirectory.path + "/copystand-" + UUID().uuidString
        try Data("0123456789".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (descriptor, _) = try #require(HTTPFile.open(path))
        return try HTTPResponse(
            status: 200, headers: tag.map { [("ETag", $0)] } ?? [],
            body: .file(HTTPFile(descriptor: descriptor, offset: 0, count: 10))
        ).part(for: HTTPRequestHead(method: method, path: [], headers: headers))
    }

    private func header(_ name: String, _ response: HTTPResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test("A part of a file has its position in the whole")
    func part() throws {
        let response = try answer([("Range", "bytes=3-5"), ("If-Range", "\"t\"")])
        #expect(response.status == 206)
        #expect(header("Content-Range", response) == "bytes 3-5/10")
        guard case .file(let file) = response.body else {
            Issue.record("\(response.body)")
            return
        }
        #expect((file.offset, file.count) == (3, 3))
    }

    @Test("A changed file, one without a tag, or a HEAD request gets a whole answer")
    func whole() throws {
        let other = try answer([("Range", "bytes=3-5"), ("If-Range", "\"old\"")])
        #expect(other.status == 200 && header("Accept-Ranges", other) == "bytes")
        #expect(try answer([("Range", "bytes=3-5")], method: "HEAD").status == 200)
        let untagged = try answer([("Range", "bytes=3-5")], tag: nil)
        #expect(untagged.status == 200 && header("Accept-Ranges", untagged) == nil)
        #expect(try answer([]).status == 200)
    }

    @Test("A range beyond the file is refused with the file's size")
    func none() {
        #expect {
            _ = try answer([("Range", "bytes=10-")])
        } throws: { error in
            let response = (error as? Problem)?.response
            return response?.status == 416
                && response?.headers.contains { $0 == ("Content-Range", "bytes */10") } == true
        }
    }
}
