import Foundation
import Glibc
import Testing

/// Tests the advice of `copystand jobs` after a kill, a jam or a failed delivery, and the effect of
/// the advice.
@Suite struct JobAdviceTests {
    let program: Program
    init() throws { program = try Program() }

    private func scan(_ more: String...) -> [String] {
        [
            "scan", "--device", "virtual:feeder", "--profile", "none", "-o", "out.json", "--set",
            "resolution=75",
        ] + more
    }

    /// The pages of the delivered document.
    private func labels() throws -> [String] {
        struct Document: Decodable {
            struct Page: Decodable {
                struct Provenance: Decodable { var label: String? }
                var provenance: Provenance
            }
            var pages: [Page]
        }
        let data = try Data(contentsOf: URL(filePath: program.home.path + "/out.json"))
        return try JSONDecoder().decode(Document.self, from: data).pages
            .map { $0.provenance.label ?? "" }
    }

    /// Scans a stack that jams on its third sheet, and kills the continuation.
    private func killAppend() throws {
        let jam = try program.run(scan("--set", "fault=jam", "--set", "fault-page=3"))
        #expect(jam.status == 4, "\(jam.messages)")
        let append = try program.run([
            "scan", "--append", "--set", "fault=hang", "--set", "fault-page=2",
        ]) { process, messages in
            if messages.wait(for: "Page 3:") { kill(process.processIdentifier, SIGKILL) }
        }
        #expect(append.status == SIGKILL)
    }

    @Test("A killed append is resumed first, and can then be continued")
    func killedAppend() throws {
        try killAppend()
        let job = try #require(try program.jobs().first)
        #expect(job.pages == 3 && job.undelivered == 1)
        #expect(job.advice.map(\.action) == ["resume", "append", "discard"])
        #expect(job.advice.map(\.loses) == [0, 0, 1])
        let resumed = try program.followAdvice()
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try labels() == ["sheet 1", "sheet 2", "sheet 3"])
        #expect(program.home.visibleNames == ["out.json"])
        #expect(try program.jobs().first?.undelivered == 0)
        #expect(try program.jobs().first?.advice.map(\.action) == ["append", "discard"])
        let append = try program.run([
            "scan", "--append", "--set", "fault=none", "--set", "pages=1",
        ])
        #expect(append.status == 0, "\(append.messages)")
        #expect(try labels() == ["sheet 1", "sheet 2", "sheet 3", "sheet 4"])
        #expect(try program.jobs().isEmpty)
    }

    @Test(
        "Pages that were never delivered are discarded only by force, and their number is reported")
    func discard() throws {
        try killAppend()
        let id = try #require(try program.jobs().first?.id)
        let refused = try program.run(["jobs", "discard", id])
        #expect(refused.status == 2)
        #expect(refused.messages.contains("1 page was never delivered."), "\(refused.messages)")
        #expect(try program.jobs().first?.pages == 3)
        #expect(try program.run(["jobs", "discard", "--force", id]).status == 0)
        #expect(try program.jobs().isEmpty)
    }

    @Test("On a terminal the number is asked about, and only a yes deletes", arguments: ["n", "y"])
    func asked(answer: String) throws {
        try killAppend()
        let id = try #require(try program.jobs().first?.id)
        // util-linux provides a terminal only for this program.
        let asked = Process()
        asked.executableURL = URL(filePath: "/usr/bin/script")
        asked.arguments = [
            "-qec", "'\(Program.folder)/copystand' jobs discard \(id)", "/dev/null",
        ]
        asked.environment = program.process([]).environment
        let (input, output) = (Pipe(), Pipe())
        (asked.standardInput, asked.standardOutput) = (input, output)
        let shown = MessageStream(output.fileHandleForReading)
        try asked.run()
        #expect(shown.wait(for: "Discard it? [y/N]"))
        input.fileHandleForWriting.write(Data((answer + "\n").utf8))
        asked.waitUntilExit()
        #expect(shown.whole().contains("1 page was never delivered."))
        #expect(try program.jobs().isEmpty == (answer == "y"))
    }

    @Test("After resuming a killed scan, its stack stays open for the rest")
    func resumedPile() throws {
        let killed = try program.run(scan("--set", "fault=hang", "--set", "fault-page=3")) {
            process, messages in
            if messages.wait(for: "Page 2:") { kill(process.processIdentifier, SIGKILL) }
        }
        #expect(killed.status == SIGKILL)
        #expect(try program.jobs().first?.advice.map(\.action) == ["resume", "append", "discard"])
        #expect(try program.followAdvice().status == 0)
        #expect(try labels() == ["sheet 1", "sheet 2"])
        #expect(try program.jobs().first?.state == "continuable")
        let append = try program.run([
            "scan", "--append", "--set", "fault=none", "--set", "pages=2",
        ])
        #expect(append.status == 0, "\(append.messages)")
        #expect(try labels() == ["sheet 1", "sheet 2", "sheet 3", "sheet 4"])
    }

    @Test("Resuming a scan that was killed after its capture closes it")
    func closedPile() throws {
        let blocked = program.home.path + "/blocked"
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
        // The folder is removed, so the delivery after the last page fails.
        let failed = try program.run(
            [
                "scan", "--device", "virtual:feeder", "--profile", "none", "--set", "pages=2",
                "--set", "resolution=75", "-o", "blocked/out.json",
            ]
        ) { _, messages in
            if messages.wait(for: "Page 1:") {
                try? FileManager.default.removeItem(atPath: blocked)
            }
        }
        #expect(failed.status == 5, "\(failed.messages)")
        #expect(failed.messages.contains("2 pages are kept in the spool."), "\(failed.messages)")
        let job = try #require(try program.jobs().first)
        #expect(job.undelivered == 2 && job.advice.map(\.action) == ["resume", "discard"])
        let resumed = try program.run(["jobs", "resume", job.id, "-o", "out.json"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try program.jobs().isEmpty)
    }

    @Test(
        "A job whose order is damaged is delivered as it is, and never advised to be discarded first"
    )
    func damagedOrder() throws {
        try killAppend()
        let id = try #require(try program.jobs().first?.id)
        try Data("{".utf8).write(to: URL(filePath: "\(program.home.path)/spool/\(id)/job.json"))
        #expect(try program.jobs().first?.advice.first?.action == "resume")
        let refused = try program.run(["jobs", "resume", id])
        #expect(!refused.messages.contains("discard"), "\(refused.messages)")
        #expect(try program.run(["jobs", "discard", id]).status == 2)
        let resumed = try program.run(["jobs", "resume", id, "-o", "saved.tiff"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(program.home.visibleNames.contains("saved.tiff"))
    }

    @Test("After a jam on the first page, --append reports that nothing was kept")
    func firstPage() throws {
        let jam = try program.run(scan("--set", "fault=jam", "--set", "fault-page=1"))
        #expect(jam.status == 4, "\(jam.messages)")
        let append = try program.run(["scan", "--append"])
        #expect(append.status == 2)
        #expect(!append.messages.contains("captured to its end"), "\(append.messages)")
        #expect(append.messages.contains("scan again without --append"), "\(append.messages)")
    }
}
