import Foundation
import Testing

/// Tests batches with a file that makes the file backend crash, hang or run out of memory.
@Suite struct BadInputBatchTests {
    let program: Program
    let environment: [String: String]

    init() throws {
        program = try Program()
        let backends = program.home.path + "/.backends"
        try FileManager.default.createDirectory(atPath: backends, withIntermediateDirectories: true)
        // This backend replaces the installed one.
        let manifest: [String: Any] = [
            "id": "file", "name": "Files and folders", "protocol": 1,
            "program": Program.folder + "/copystand-backend-faulty-files",
            "sandbox": ["filesystem": "read-only", "network": false],
            "limits": ["memory": 512],
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(filePath: backends + "/file.json"))
        environment = ["COPYSTAND_BACKENDS": backends]
    }

    /// Makes pictures of those names; the number in a name is its number of pages.
    private func folder(_ names: [String]) throws -> String {
        let folder = program.home.path + "/pictures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in names {
            let pages = Int(name.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 1
            try Data(Pictures.tiff(pages: pages)).write(to: URL(filePath: folder + "/" + name))
        }
        return folder
    }

    private struct Result: Decodable {
        struct Page: Decodable { var label: String? }
        struct Skipped: Decodable {
            var label: String?
            var code: String
            var message: String
        }
        var pages: [Page]
        var skipped: [Skipped]
    }

    private func run(_ words: String...) throws -> (Program.Ending, Result) {
        let ending = try program.run(words + ["-p", "none", "--json"], environment: environment)
        return (ending, try JSONDecoder().decode(Result.self, from: Data(ending.output.utf8)))
    }

    static let faults = [("crash", "crashed"), ("hang", "hung"), ("hog", "crashed")]

    @Test("One bad file of a folder is named, and all others are read", arguments: faults)
    func folder(fault: String, code: String) throws {
        let names = ["a.tiff", "\(fault).tiff", "y.tiff", "z2.tiff"]
        // Filling the memory takes time, too.
        let limit = fault == "hang" ? "2" : "60"
        let (ending, result) = try run(
            "import", try folder(names), "-o", "out.pdf", "--page-timeout", limit)
        #expect(ending.status == 4, "\(ending.messages)")
        #expect(
            result.pages.map(\.label) == ["a.tiff", "y.tiff", "z2.tiff, page 1", "z2.tiff, page 2"])
        #expect(result.skipped.map(\.label) == ["\(fault).tiff"])
        #expect(result.skipped.map(\.code) == [code])
        #expect(result.skipped.first?.message.contains("\(fault).tiff") == true)
        #expect(!ending.messages.contains("switched on"), "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 4)
        #expect(try program.run(["jobs"]).output == "")
    }

    @Test("One bad file among several named ones is left out", arguments: faults)
    func named(fault: String, code: String) throws {
        let names = ["\(fault).tiff", "b.tiff", "c.tiff"]
        let folder = try folder(names)
        let ending = try program.run(
            ["import"] + names.map { folder + "/" + $0 } + [
                "-p", "none", "-o", "out.pdf", "--page-timeout", "2",
            ], environment: environment)
        #expect(ending.status == 4, "\(ending.messages)")
        #expect(ending.messages.contains("\(fault).tiff could not be captured"))
        #expect(try pageCount(program.home.path + "/out.pdf") == 2)
    }

    @Test("The bad page of a multi-page file is left out, and the others are read")
    func page() throws {
        let folder = try folder(["crash-later-5.tiff"])
        let (ending, result) = try run("import", folder + "/crash-later-5.tiff", "-o", "out.pdf")
        #expect(ending.status == 4, "\(ending.messages)")
        #expect(result.skipped.map(\.label) == ["crash-later-5.tiff, page 2"])
        #expect(result.pages.map(\.label) == [1, 3, 4, 5].map { "crash-later-5.tiff, page \($0)" })
    }

    @Test(
        "A damaged file before the bad one is reported too, and a batch of only bad files ends"
    )
    func heldBack() throws {
        let folder = try folder(["crash.tiff", "crash2.tiff", "hog.tiff"])
        try Data("no picture".utf8).write(to: URL(filePath: folder + "/a.png"))
        let (ending, result) = try run("import", folder, "-o", "out.pdf")
        #expect(ending.status == 4, "\(ending.messages)")
        #expect(result.pages.isEmpty)
        #expect(
            result.skipped.map(\.label) == ["a.png", "crash.tiff", "crash2.tiff", "hog.tiff"])
        #expect(program.home.visibleNames == ["pictures"])
    }

    @Test("A requested number of pages is the number of good pages in the whole batch")
    func limit() throws {
        let (_, result) = try run(
            "import", try folder(["a2.tiff", "crash.tiff", "m2.tiff", "z.tiff"]), "-o", "out.pdf",
            "-n", "3")
        #expect(
            result.pages.map(\.label) == ["a2.tiff, page 1", "a2.tiff, page 2", "m2.tiff, page 1"])
    }
}
