import Foundation
import Testing

/// Compares Docs/protocol/capture.schema.json with the protocol's page.
@Suite struct ProtocolSchemaTests {
    @Test("The file has the page's schemas, and every example of the page is valid")
    func current() throws {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", root + "/Scripts/protocol-schemas", "--check"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        let count = try #require(said.firstMatch(of: /^(\d+) examples/).flatMap { Int($0.1) })
        #expect(count > 40)
    }
}
