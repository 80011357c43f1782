import Foundation
import Glibc
import Testing

/// Tests that input from standard input, of which the job has the only copy, is never lost while it
/// is read.
@Suite struct UnreadInputTests {
    let program: Program
    init() throws { program = try Program() }

    /// A gray picture as a PNM file.
    private func picture(rows: Int = 40) -> Data {
        Data("P5\n30 40\n255\n".utf8) + Data(repeating: 200, count: 30 * rows)
    }

    /// The order of the job's import.
    private let order = ["import", "-", "--profile", "none", "-o", "out.tiff"]

    /// Kills the import after `input` has arrived, before the end of the stream.
    private func kill(after input: Data) throws {
        #expect(try end(order, by: SIGKILL, after: input) == SIGKILL)
    }

    /// Ends an import by a signal after `input`, before the end of the stream; returns how the
    /// process ended.
    private func end(_ order: [String], by signal: Int32, after input: Data) throws -> Int32 {
        let process = program.process(order)
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        pipe.fileHandleForWriting.write(input)
        while try !hasCopied(input.count) { usleep(10_000) }
        Glibc.kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func hasCopied(_ bytes: Int) throws -> Bool {
        let spool = program.home.path + "/spool"
        let jobs = (try? FileManager.default.contentsOfDirectory(atPath: spool)) ?? []
        return jobs.contains { job in
            let path = "\(spool)/\(job)/standard-input"
            let about = try? FileManager.default.attributesOfItem(atPath: path)
            return about?[.size] as? Int == bytes
        }
    }

    @Test("An import that is killed before its input ends is resumed with the input so far")
    func killed() throws {
        try kill(after: picture())
        let job = try #require(try program.jobs().first)
        #expect(job.undelivered == 1)
        #expect(job.advice.map(\.action) == ["resume", "discard"])
        #expect(job.advice.map(\.loses) == [0, 1])
        let resumed = try program.followAdvice()
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(program.home.visibleNames == ["out.tiff"])
        #expect(try program.jobs().isEmpty)
    }

    @Test("Unreadable input stays until it is discarded by force")
    func damaged() throws {
        let ending = try program.run(order, input: picture(rows: 0))
        #expect(ending.status == 4)
        #expect(ending.messages.contains("What could not be read is kept"), "\(ending.messages)")
        let id = try #require(try program.jobs().first).id
        #expect(try program.followAdvice().status == 4)
        #expect(try program.run(["jobs", "discard", id]).status == 2)
        #expect(try program.jobs().map(\.id) == [id])
        #expect(try program.run(["jobs", "discard", "--force", id]).status == 0)
        #expect(try program.jobs().isEmpty)
    }

    @Test("A kill before the first byte of input leaves nothing to lose")
    func nothingCame() throws {
        try kill(after: Data())
        #expect(try program.jobs().first?.undelivered == 0)
    }

    @Test("A resumption that is stopped before its first page keeps the input")
    func stoppedResumption() throws {
        try kill(after: picture())
        let id = try #require(try program.jobs().first).id
        let resumed = try program.run(["jobs", "resume", id]) { process, _ in
            Glibc.kill(process.processIdentifier, SIGINT)
        }
        // Either the process was stopped in time, or the page had been read.
        let left = try program.jobs()
        #expect(left.count == 1 ? left[0].undelivered == 1 : resumed.status == 0)
        #expect(left.count == 1 || program.home.visibleNames == ["out.tiff"])
    }

    @Test("Ctrl-C ends an import of endless input, and keeps the input so far")
    func stoppedStream() throws {
        #expect(try end(order, by: SIGINT, after: picture()) == 130)
        #expect(try program.jobs().first?.undelivered == 1)
        #expect(try program.followAdvice().status == 0)
        #expect(program.home.visibleNames == ["out.tiff"])
    }

    @Test("An unreadable stream does not end a batch")
    func badStream() throws {
        let (first, last) = (program.home.path + "/a.pgm", program.home.path + "/b.pgm")
        for path in [first, last] { try picture().write(to: URL(filePath: path)) }
        let ending = try program.run(
            ["import", first, "-", last, "-p", "none", "-o", "out.tiff"], input: Data())
        #expect(ending.status == 4)
        #expect(ending.messages.contains("Standard input is empty"), "\(ending.messages)")
        #expect(ending.messages.contains("2 pages, 1 not captured"), "\(ending.messages)")
        #expect(try program.jobs().isEmpty)
    }

    @Test("Input along with a missing file is delivered anyway")
    func besideGone() throws {
        let file = program.home.path + "/a.pgm"
        try picture().write(to: URL(filePath: file))
        let both = ["import", "-", file, "-p", "none", "-o", "out.tiff"]
        #expect(try end(both, by: SIGKILL, after: picture()) == SIGKILL)
        try FileManager.default.removeItem(atPath: file)
        let resumed = try program.followAdvice()
        #expect(resumed.status == 4)
        #expect(resumed.messages.contains("1 page, 1 not captured"), "\(resumed.messages)")
        #expect(program.home.visibleNames == ["out.tiff"])
    }

    @Test("A damaged order does not lose the input")
    func damagedOrder() throws {
        try kill(after: picture())
        let id = try #require(try program.jobs().first).id
        try Data("{".utf8).write(to: URL(filePath: "\(program.home.path)/spool/\(id)/job.json"))
        #expect(try program.run(["jobs", "resume", id]).status != 0)
        let resumed = try program.run(["jobs", "resume", id, "-o", "other.tiff"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(program.home.visibleNames == ["other.tiff"])
    }
}
