import Foundation
import Glibc
import Testing

/// Tests which pages of an import are kept until the document is delivered.
@Suite struct ImportKeepsTests {
    let program: Program
    init() throws { program = try Program() }

    /// Copies of a sample in a folder, like a memory card that can be removed.
    private func card(_ count: Int) throws -> [String] {
        let card = program.home.path + "/card"
        try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
        return try (1...count).map { number in
            let name = "card/\(number).jpg"
            try FileManager.default.copyItem(
                atPath: Samples.path + "/06-receipt.jpg", toPath: program.home.path + "/" + name)
            return name
        }
    }

    private func take(_ name: String) throws {
        try FileManager.default.removeItem(atPath: program.home.path + "/" + name)
    }

    private func job() throws -> String {
        try #require(
            try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/spool").first)
    }

    private func pages(_ name: String) throws -> Int? {
        try pageCount(program.home.path + "/" + name)
    }

    @Test(
        "An import into a full target keeps every page, also when its files are removed",
        arguments: [false, true])
    func fullTarget(ofFolder: Bool) throws {
        let files = try card(4)
        let disk = program.home.path + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try #require(
            try tool("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk) != nil,
            "this test mounts a small tmpfs, and needs to be root for that")
        defer { _ = try? tool("umount", disk) }
        let ending = try program.run(
            ["import"] + (ofFolder ? ["card"] : files) + ["-p", "none", "-o", "disk/out.tiff"])
        #expect(ending.status == 5, "\(ending.messages)")
        #expect(ending.messages.contains("4 pages are kept in the spool."), "\(ending.messages)")
        try take("card")
        let resumed = try program.run(["jobs", "resume", try job(), "-o", "out.pdf"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try pages("out.pdf") == 4)
        #expect(try program.run(["jobs"]).output == "")
    }

    @Test(
        "A killed import delivers its pages if its files are gone, and otherwise all pages",
        arguments: [false, true])
    func killed(isTaken: Bool) throws {
        let files = try card(40)
        let ending = try program.run(["import"] + files + ["-p", "none", "-o", "out.pdf"]) {
            process, messages in
            if messages.wait(for: "Page 3:") { kill(process.processIdentifier, SIGKILL) }
        }
        #expect(ending.status == SIGKILL)
        if isTaken { try take("card") }
        let resumed = try program.run(["jobs", "resume", try job()])
        #expect(resumed.status == 0, "\(resumed.messages)")
        let count = try #require(try pages("out.pdf"))
        #expect(isTaken ? count >= 3 && count <= 40 : count == 40)
    }

    @Test("After a kill, input from standard input is read to its end")
    func standardInput() throws {
        let whole = try program.run(
            ["import", Samples.path + "/06-receipt.jpg", "-p", "none", "-o", "one.pdf"])
        #expect(whole.status == 0, "\(whole.messages)")
        _ = try #require(
            try tool(
                "sh", "-c",
                "cd '\(program.home.path)' && qpdf --empty --pages $(yes one.pdf | head -40) -- many.pdf"
            ))
        let input = try Data(contentsOf: URL(filePath: program.home.path + "/many.pdf"))
        let ending = try program.run(
            ["import", "-", "-p", "none", "-o", "out.pdf"], input: input
        ) { process, messages in
            if messages.wait(for: "Page 2:") { kill(process.processIdentifier, SIGKILL) }
        }
        #expect(ending.status == SIGKILL)
        let id = try job()
        #expect(try program.run(["jobs", "discard", id]).status == 2)
        let resumed = try program.run(["jobs", "resume", id])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try pages("out.pdf") == 40)
    }
}
