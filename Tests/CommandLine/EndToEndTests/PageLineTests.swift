import Foundation
import Testing

/// Tests the line for each page, which fits into a terminal.
@Suite struct PageLineTests {
    let program: Program

    init() throws { program = try Program() }

    private func told(_ name: String, _ options: String...) throws -> [String] {
        let path = program.home.path + "/" + name
        try Data(Pictures.tiff(pages: 2)).write(to: URL(filePath: path))
        let ending = try program.run(["import", path, "-o", "out.pdf"] + options)
        #expect(ending.status == 0, "\(ending.messages)")
        return ending.messages.split(separator: "\n").map(String.init)
    }

    @Test("A page is a line with its size and label")
    func short() throws {
        let lines = try told("scan.tiff", "-p", "none").filter { $0.hasPrefix("Page ") }
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("Page 1: scan.tiff, page 1: ") == true, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains(" ms)") })
    }

    @Test("A long name is shortened in its middle, and no line is wider than 80 columns")
    func long() throws {
        let name = "A name so long that nobody reads it to its very end, which is here.tiff"
        let lines = try told(name).filter { $0.hasPrefix("Page ") }
        #expect(lines.count >= 2)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(lines.first?.contains("…") == true, "\(lines)")
    }

    @Test("With --verbose every step has a line with its figures")
    func verbose() throws {
        let lines = try told("scan.tiff", "--verbose")
        #expect(lines.contains { $0.hasPrefix("  crop: ") && $0.hasSuffix(" ms)") }, "\(lines)")
    }

    @Test("A missing size is assumed from the shape, and the line says so")
    func assumed() throws {
        let path = program.home.path + "/a.pgm"
        try Data(Pictures.pgm(width: 827, height: 1_169)).write(to: URL(filePath: path))
        let ending = try program.run(["import", path, "-o", "assumed.pdf", "-p", "none"])
        #expect(ending.messages.contains("Page 1: a.pgm: A4 (assumed)\n"), "\(ending.messages)")
        let converted = program.home.path + "/stated.jpg"
        _ = try #require(
            try tool("convert", path, "-units", "PixelsPerInch", "-density", "200", converted))
        let stated = try program.run(["import", "stated.jpg", "-o", "stated.pdf", "-p", "none"])
        #expect(
            stated.messages.contains("Page 1: stated.jpg: A6\n"), "\(stated.messages)")
    }
}
