import Foundation
import Glibc
import Testing

/// What `copystand jobs` advises after a kill, a jam or a failed delivery, and what comes of
/// following it.
@Suite struct JobAdviceTests {
    let program: Program
    init() throws { program = try Program() }

    private func scan(_ more: String...) -> [String] {
        [
            "scan", "--device", "virtual:feeder", "--profile", "none", "-o", "out.json", "--set",
            "resolution=75",
        ] + more
    }

    private struct Job: Decodable {
        struct Advice: Decodable {
            var action: String
            var command: String
            var loses: Int
        }
        var id: String
        var state: String
        var pages: Int
        var undelivered: Int
        var advice: [Advice]
    }

    private func jobs() throws -> [Job] {
        struct Answer: Decodable { var jobs: [Job] }
        let listed = try program.run(["jobs", "--json"])
        return try JSONDecoder().decode(Answer.self, from: Data(listed.output.utf8)).jobs
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

    /// Runs the first advice of the only job.
    private func follow() throws -> Program.Ending {
        let advice = try #require(try jobs().first?.advice.first)
        return try program.run(advice.command.split(separator: " ").dropFirst().map(String.init))
    }

    /// A pile that jams on its third sheet, and then is killed while the third is added to it.
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

    @Test("An append that was killed is resumed first, and can then be gone on with")
    func killedAppend() throws {
        try killAppend()
        let job = try #require(try jobs().first)
        #expect(job.pages == 3 && job.undelivered == 1)
        #expect(job.advice.map(\.action) == ["resume", "append", "discard"])
        #expect(job.advice.map(\.loses) == [0, 0, 1])
        let resumed = try follow()
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try labels() == ["sheet 1", "sheet 2", "sheet 3"])
        #expect(program.home.visibleNames == ["out.json"])
        #expect(try jobs().first?.undelivered == 0)
        #expect(try jobs().first?.advice.map(\.action) == ["append", "discard"])
        let append = try program.run([
            "scan", "--append", "--set", "fault=none", "--set", "pages=1",
        ])
        #expect(append.status == 0, "\(append.messages)")
        #expect(try labels() == ["sheet 1", "sheet 2", "sheet 3", "sheet 4"])
        #expect(try jobs().isEmpty)
    }

    @Test("Pages that were never delivered are discarded only by force, and their number is told")
    func discard() throws {
        try killAppend()
        let id = try #require(try jobs().first?.id)
        let refused = try program.run(["jobs", "discard", id])
        #expect(refused.status == 2)
        #expect(refused.messages.contains("1 page was never delivered."), "\(refused.messages)")
        #expect(try jobs().first?.pages == 3)
        #expect(try program.run(["jobs", "discard", "--force", id]).status == 0)
        #expect(try jobs().isEmpty)
    }

    @Test(
        "A job whose delivered file is gone holds the only copy, and says so until it is delivered again"
    )
    func goneFile() throws {
        #expect(try program.run(scan("--set", "fault=jam", "--set", "fault-page=3")).status == 4)
        let job = try #require(try jobs().first)
        #expect(job.undelivered == 0)
        try FileManager.default.removeItem(atPath: program.home.path + "/out.json")
        #expect(try jobs().first?.undelivered == 2)
        #expect(try jobs().first?.advice.map(\.action) == ["resume", "append", "discard"])
        let refused = try program.run(["jobs", "discard", job.id])
        #expect(refused.status == 2)
        #expect(
            refused.messages.contains("2 pages are in no file any more: 'out.json' is gone."),
            "\(refused.messages)")
        #expect(try follow().status == 0)
        #expect(try labels() == ["sheet 1", "sheet 2"])
        #expect(try jobs().first?.undelivered == 0)
        #expect(try program.run(["jobs", "discard", job.id]).status == 0)
    }

    @Test(
        "Whether a delivered file is there is told for names of every kind, wherever it lies",
        arguments: ["plain.json", "Grüße.json", "ÄÖÜ.json", "گزارش.json"], [true, false])
    func named(name: String, isAbsolute: Bool) throws {
        let folder = program.home.path + "/ab"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let output = (isAbsolute ? folder : "ab") + "/" + name
        let jam = try program.run([
            "scan", "--device", "virtual:feeder", "--profile", "none", "-o", output, "--set",
            "resolution=75", "--set", "fault=jam", "--set", "fault-page=3",
        ])
        #expect(jam.status == 4, "\(jam.messages)")
        #expect(try jobs().first?.undelivered == 0)
        // Another file of that name, a folder further up, is none of the job's.
        try Data(count: 1 << 20).write(to: URL(filePath: program.home.path + "/" + name))
        try FileManager.default.removeItem(atPath: folder + "/" + name)
        #expect(try jobs().first?.undelivered == 2)
    }

    /// What may become of a delivered file.
    enum Accident: String, CaseIterable, CustomTestStringConvertible {
        case emptied, grown, replacedByLarger, folder, link, overwrittenInPlace
        var testDescription: String { rawValue }

        func happen(to path: String) throws {
            let files = FileManager.default
            let size = try #require(
                try files.attributesOfItem(atPath: path)[.size] as? Int)
            let other = Data(repeating: 32, count: size)
            switch self {
            case .emptied: try Data().write(to: URL(filePath: path))
            case .grown:
                let file = try FileHandle(forWritingTo: URL(filePath: path))
                try file.seekToEnd()
                try file.write(contentsOf: Data("more".utf8))
            case .overwrittenInPlace:
                let file = try FileHandle(forWritingTo: URL(filePath: path))
                try file.write(contentsOf: other)
            case .replacedByLarger:
                try files.removeItem(atPath: path)
                try Data(count: size + 1).write(to: URL(filePath: path))
            case .folder:
                try files.removeItem(atPath: path)
                try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .link:
                try other.write(to: URL(filePath: path + ".other"))
                try files.removeItem(atPath: path)
                try files.createSymbolicLink(
                    atPath: path, withDestinationPath: path + ".other")
            }
        }
    }

    @Test(
        "Nobody says that nothing is lost where a delivered file is not the one that was delivered",
        arguments: Accident.allCases)
    func changed(accident: Accident) throws {
        #expect(try program.run(scan("--set", "fault=jam", "--set", "fault-page=3")).status == 4)
        let job = try #require(try jobs().first)
        #expect(job.undelivered == 0)
        try accident.happen(to: program.home.path + "/out.json")
        #expect(try jobs().first?.undelivered == 2)
        let refused = try program.run(["jobs", "discard", job.id])
        #expect(refused.status == 2)
        #expect(
            refused.messages.contains(
                "'out.json' \(accident == .folder ? "is gone" : "was changed or replaced")."),
            "\(refused.messages)")
    }

    @Test("A file that was moved away and back, or copied with its time, has its pages")
    func movedBack() throws {
        #expect(try program.run(scan("--set", "fault=jam", "--set", "fault-page=3")).status == 4)
        let (path, aside) = (program.home.path + "/out.json", program.home.path + "/aside")
        #expect(rename(path, aside) == 0)
        #expect(try jobs().first?.undelivered == 2)
        let copy = Process()
        copy.executableURL = URL(filePath: "/bin/cp")
        copy.arguments = ["-p", aside, path]
        try copy.run()
        copy.waitUntilExit()
        #expect(try jobs().first?.undelivered == 0)
    }

    /// A scan that jams on its third sheet, to wherever the arguments say.
    private func jam(_ more: String...) throws -> Job {
        let ending = try program.run(
            [
                "scan", "--device", "virtual:feeder", "--profile", "none", "--set",
                "resolution=75", "--set", "fault=jam", "--set", "fault-page=3",
            ] + more)
        #expect(ending.status == 4, "\(ending.messages)")
        let job = try #require(try jobs().first)
        #expect(job.pages == 2 && job.undelivered == 0)
        return job
    }

    @Test("A document that the archive has no more is lost", arguments: [true, false])
    func goneFromArchive(asWhole: Bool) throws {
        let folder = program.home.path + "/.local/share/copystand"
        let job = try jam("--sink", "archive")
        if asWhole {
            try FileManager.default.removeItem(atPath: folder)
        } else {
            #expect(try program.run(["trash", "1"]).status == 0)
            #expect(try jobs().first?.undelivered == 0)
            let emptied = try program.run(["trash", "--empty"])
            #expect(emptied.status == 0, "\(emptied.messages)")
        }
        #expect(try jobs().first?.undelivered == 2)
        #expect(try program.run(["jobs", "discard", job.id]).status == 2)
        #expect(try follow().status == 0)
        #expect(try jobs().first?.undelivered == 0)
    }

    @Test("A document whose pictures the archive has no more is lost until it is delivered again")
    func goneImages() throws {
        let folder = program.home.path + "/.local/share/copystand"
        _ = try jam("--sink", "archive")
        try FileManager.default.removeItem(atPath: folder + "/images")
        #expect(try jobs().first?.undelivered == 2)
        #expect(try follow().status == 0)
        #expect(try jobs().first?.undelivered == 0)
    }

    @Test("The files of a named sink are looked at as well")
    func goneFromSink() throws {
        let added = try program.run([
            "sinks", "add", "shelf", "--kind", "file", "--template",
            program.home.path + "/shelf/{title}.png",
        ])
        #expect(added.status == 0, "\(added.messages)")
        let job = try jam("--sink", "shelf", "--title", "Pile", "-o", "out.json")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: program.home.path + "/shelf")
        #expect(names.count == 2)
        try FileManager.default.removeItem(atPath: program.home.path + "/out.json")
        // The other place has its pages, and so nothing is lost.
        #expect(try jobs().first?.undelivered == 0)
        let listed = try program.run(["jobs"])
        #expect(
            listed.messages.contains("'out.json' is gone, but 'shelf' has its pages."),
            "\(listed.messages)")
        #expect(try jobs().first?.advice.map(\.action) == ["resume", "append", "discard"])
        try FileManager.default.removeItem(
            atPath: program.home.path + "/shelf/" + (try #require(names.first)))
        #expect(try jobs().first?.undelivered == 2)
        let refused = try program.run(["jobs", "discard", job.id])
        #expect(refused.status == 2)
        #expect(
            refused.messages.contains(
                "2 pages are in no file any more: 'out.json' is gone, 'shelf' is gone."),
            "\(refused.messages)")
    }

    @Test("On a terminal the number is asked about, and only a yes deletes", arguments: ["n", "y"])
    func asked(answer: String) throws {
        try killAppend()
        let id = try #require(try jobs().first?.id)
        // A terminal of its own, from util-linux.
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
        #expect(try jobs().isEmpty == (answer == "y"))
    }

    @Test("A killed scan that is resumed leaves its pile open for the rest")
    func resumedPile() throws {
        let killed = try program.run(scan("--set", "fault=hang", "--set", "fault-page=3")) {
            process, messages in
            if messages.wait(for: "Page 2:") { kill(process.processIdentifier, SIGKILL) }
        }
        #expect(killed.status == SIGKILL)
        #expect(try jobs().first?.advice.map(\.action) == ["resume", "append", "discard"])
        #expect(try follow().status == 0)
        #expect(try labels() == ["sheet 1", "sheet 2"])
        #expect(try jobs().first?.state == "continuable")
        let append = try program.run([
            "scan", "--append", "--set", "fault=none", "--set", "pages=2",
        ])
        #expect(append.status == 0, "\(append.messages)")
        #expect(try labels() == ["sheet 1", "sheet 2", "sheet 3", "sheet 4"])
    }

    @Test("A scan that was captured to its end and then killed is closed by resuming it")
    func closedPile() throws {
        let blocked = program.home.path + "/blocked"
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
        // Its delivery fails after the last page, as the folder is gone by then.
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
        let job = try #require(try jobs().first)
        #expect(job.undelivered == 2 && job.advice.map(\.action) == ["resume", "discard"])
        let resumed = try program.run(["jobs", "resume", job.id, "-o", "out.json"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try jobs().isEmpty)
    }

    @Test(
        "A job whose order is damaged is delivered as it is, and never advised to be discarded first"
    )
    func damagedOrder() throws {
        try killAppend()
        let id = try #require(try jobs().first?.id)
        try Data("{".utf8).write(to: URL(filePath: "\(program.home.path)/spool/\(id)/job.json"))
        #expect(try jobs().first?.advice.first?.action == "resume")
        let refused = try program.run(["jobs", "resume", id])
        #expect(!refused.messages.contains("discard"), "\(refused.messages)")
        #expect(try program.run(["jobs", "discard", id]).status == 2)
        let resumed = try program.run(["jobs", "resume", id, "-o", "saved.tiff"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(program.home.visibleNames.contains("saved.tiff"))
    }

    @Test("After a jam on the first page --append says that nothing was kept")
    func firstPage() throws {
        let jam = try program.run(scan("--set", "fault=jam", "--set", "fault-page=1"))
        #expect(jam.status == 4, "\(jam.messages)")
        let append = try program.run(["scan", "--append"])
        #expect(append.status == 2)
        #expect(!append.messages.contains("captured to its end"), "\(append.messages)")
        #expect(append.messages.contains("scan again without --append"), "\(append.messages)")
    }
}
