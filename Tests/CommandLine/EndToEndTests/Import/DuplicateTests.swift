import Foundation
import Testing

/// Tests documents that are imported more than once.
@Suite struct DuplicateTests {
    let program: Program

    init() throws { program = try Program() }

    private func picture(pages: Int) throws -> String {
        let path = program.home.path + "/\(pages).tiff"
        try Data(Pictures.tiff(pages: pages)).write(to: URL(filePath: path))
        return path
    }

    private struct Result: Decodable {
        struct Delivered: Decodable { var duplicateOf: String? }
        var delivered: [Delivered]
    }

    private func run(_ words: String...) throws -> (Program.Ending, [String?]) {
        let ending = try program.run(["import"] + words + ["-p", "none", "--json"])
        #expect(ending.status == 0, "\(ending.messages)")
        let result = try JSONDecoder().decode(Result.self, from: Data(ending.output.utf8))
        return (ending, result.delivered.map(\.duplicateOf))
    }

    @Test("A document that the archive already has is kept, with a report unless allowed")
    func told() throws {
        let (one, two) = (try picture(pages: 1), try picture(pages: 2))
        let (first, none) = try run(one)
        #expect(none == [nil] && !first.messages.contains("already"))
        #expect(try run(two).1 == [nil])
        let (again, twin) = try run(one)
        #expect(twin == ["1"])
        #expect(again.messages.contains("as document 1. To remove the new one: copystand trash 3"))
        let (allowed, silent) = try run(one, "--allow-duplicates")
        #expect(silent == [nil] && !allowed.messages.contains("already"))
        #expect(try program.run(["list"]).output.split(separator: "\n").count >= 4)
    }

    @Test("A PDF that is imported again in another way is recognized by its file")
    func sameFile() throws {
        func file(_ name: String, _ pages: [String]) throws -> String {
            let path = program.home.path + "/" + name
            try PDFs.digital(pages: pages).write(to: URL(filePath: path))
            return path
        }
        let (one, other) = (try file("a.pdf", ["Alpha", "Beta"]), try file("b.pdf", ["Alpha"]))
        #expect(try run(one).1 == [nil])
        #expect(try run(other).1 == [nil])
        #expect(try run(one, "--step", "binarize=on").1 == ["1"])
        // A part of the document is another document.
        #expect(try run(one, "-n", "1", "--step", "binarize=on").1 == [nil])
    }
}
