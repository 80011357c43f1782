import FoundationEssentials
import Testing

@testable import copystand

@Suite struct FirstLineTests {
    @Test(
        "The first line is read without its end and without a byte order mark",
        arguments: [
            ("pw\n", "pw"), ("\u{FEFF}pw\r\nmore", "pw"), ("pw", "pw"), ("\nx", ""), ("", ""),
            ("p\u{FEFF}w\n", "p\u{FEFF}w"),
        ])
    func line(text: String, expected: String) throws {
        let home = try TemporaryFolder()
        let file = home.path + "/secret"
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect(FirstLine.of(file).map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test("A missing, too long or binary file has no first line")
    func none() throws {
        let home = try TemporaryFolder()
        #expect(FirstLine.of(home.path) == nil && FirstLine.of(home.path + "/gone") == nil)
        let file = home.path + "/secret"
        try Data([0xFF, 0x0A]).write(to: URL(filePath: file))
        #expect(FirstLine.of(file) == nil)
        try Data(repeating: 0x41, count: 70_000).write(to: URL(filePath: file))
        #expect(FirstLine.of(file) == nil)
    }
}
