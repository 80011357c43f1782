import Foundation
import Glibc
import Testing

/// Tests documents that were lost after delivery, while their job still has the pages.
@Suite struct LostDocumentTests {
    let program: Program
    init() throws { program = try Program() }

    @Test(
        "A job whose delivered file is gone holds the only copy, and says so until it is delivered again"
    )
    func goneFile() throws {
        let job = try jam("-o", "out.json")
        try FileManager.default.removeItem(atPath: program.home.path + "/out.json")
        #expect(try program.jobs().first?.undelivered == 2)
        #expect(try program.jobs().first?.advice.map(\.action) == ["resume", "append", "discard"])
        let refused = try program.run(["jobs", "discard", job.id])
        #expect(refused.status == 2)
        #expect(
            refused.messages.contains("2 pages are only in this job now: 'out.json' is gone."),
            "\(refused.messages)")
        #expect(try program.followAdvice().status == 0)
        #expect(access(program.home.path + "/out.json", F_OK) == 0)
        #expect(try program.jobs().first?.undelivered == 0)
        #expect(try program.run(["jobs", "discard", job.id]).status == 0)
    }

    @Test(
        "Whether a delivered file exists is reported for names of every kind, wherever it is",
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
        #expect(try program.jobs().first?.undelivered == 0)
        // A file with the same name one folder higher does not belong to the job.
        try Data(count: 1 << 20).write(to: URL(filePath: program.home.path + "/" + name))
        try FileManager.default.removeItem(atPath: folder + "/" + name)
        #expect(try program.jobs().first?.undelivered == 2)
    }

    /// The possible accidents of a delivered file.
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
        "No message claims that nothing is lost if a delivered file was replaced",
        arguments: Accident.allCases)
    func changed(accident: Accident) throws {
        let job = try jam("-o", "out.json")
        try accident.happen(to: program.home.path + "/out.json")
        #expect(try program.jobs().first?.undelivered == 2)
        let refused = try program.run(["jobs", "discard", job.id])
        #expect(refused.status == 2)
        #expect(
            refused.messages.contains(
                "'out.json' \(accident == .folder ? "is gone" : "was changed, replaced or damaged")."
            ),
            "\(refused.messages)")
    }

    @Test("A file that was moved away and back, or copied with its time, has its pages")
    func movedBack() throws {
        _ = try jam("-o", "out.json")
        let (path, aside) = (program.home.path + "/out.json", program.home.path + "/aside")
        #expect(rename(path, aside) == 0)
        #expect(try program.jobs().first?.undelivered == 2)
        let copy = Process()
        copy.executableURL = URL(filePath: "/bin/cp")
        copy.arguments = ["-p", aside, path]
        try copy.run()
        copy.waitUntilExit()
        #expect(try program.jobs().first?.undelivered == 0)
    }

    /// Scans to the given target; the scan jams on its third sheet.
    private func jam(_ more: String...) throws -> ListedJob {
        let ending = try program.run(
            [
                "scan", "--device", "virtual:feeder", "--profile", "none", "--set",
                "resolution=75", "--set", "fault=jam", "--set", "fault-page=3",
            ] + more)
        #expect(ending.status == 4, "\(ending.messages)")
        let job = try #require(try program.jobs().first)
        #expect(job.pages == 2 && job.undelivered == 0)
        return job
    }

    @Test(
        "A document that the archive no longer has is lost until it is delivered again",
        arguments: [ArchiveAccident.removed, .deleted, .trashed, .taken, .emptied, .unreadable])
    func goneFromArchive(accident: ArchiveAccident) throws {
        let job = try jam("--sink", "archive")
        try accident.happen(program)
        #expect(try program.jobs().first?.undelivered == 2)
        let refused = try program.run(["jobs", "discard", job.id])
        #expect(refused.status == 2 && refused.messages.contains(accident.words))
        if accident == .unreadable {
            let folder = program.home.path + "/.local/share/copystand"
            #expect(rename(folder + "/kept", folder + "/archive.sqlite") == 0)
        } else {
            #expect(try program.followAdvice().status == 0)
        }
        #expect(try program.jobs().first?.undelivered == 0)
        let listed = try program.run(["list", "--json"])
        #expect(listed.output.contains("\"pages\" : 2"), "\(listed.output)")
    }

    /// Adds a sink that puts files into a folder named `shelf`.
    private func addShelf(_ template: String = "{title}.pdf") throws {
        let added = try program.run([
            "sinks", "add", "shelf", "--kind", "file", "--template",
            program.home.path + "/shelf/" + template,
        ])
        #expect(added.status == 0, "\(added.messages)")
    }

    private func shelf() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/shelf").sorted()
    }

    private func discardIsRefused(_ id: String, _ words: String) throws {
        let refused = try program.run(["jobs", "discard", id])
        #expect(refused.status == 2)
        #expect(refused.messages.contains(words), "\(refused.messages)")
        #expect(try program.jobs().count == 1)
    }

    @Test(
        "A document lost from a shelf is delivered to the shelf again",
        arguments: ["{title}.pdf", "{title}.png"], [true, false])
    func lostFromShelf(template: String, isRemoved: Bool) throws {
        try addShelf(template)
        let job = try jam("--sink", "shelf", "--title", "P")
        let name = try #require(try shelf().last)
        let path = program.home.path + "/shelf/" + name
        if isRemoved { unlink(path) } else { truncate(path, 0) }
        #expect(try program.jobs().first?.undelivered == 2)
        try discardIsRefused(job.id, name)
        let resumed = try program.followAdvice()
        #expect(resumed.status == 0, "\(resumed.messages)")
        let sizes = try shelf().map {
            try FileManager.default.attributesOfItem(atPath: program.home.path + "/shelf/" + $0)[
                .size] as? Int ?? 0
        }
        let pages = template.hasSuffix("pdf") ? 1 : 2
        #expect(sizes.count { $0 > 0 } >= pages)
        #expect(try program.jobs().first?.undelivered == 0)
    }

    @Test(
        "Other files replace a lost one only if they show its pages",
        arguments: [
            ("b.pdf", true), ("b.tif", true), ("b.json", false), ("b.txt", false),
            ("b.hocr", false),
            ("b.alto.xml", false),
        ])
    func otherFile(name: String, makesUp: Bool) throws {
        let job = try jam("-o", "a.pdf", "-o", name)
        unlink(program.home.path + "/a.pdf")
        #expect(try program.jobs().first?.undelivered == (makesUp ? 0 : 2))
        guard makesUp else { return try discardIsRefused(job.id, "'a.pdf' is gone") }
        let listed = try program.run(["jobs"])
        #expect(
            listed.messages.contains("'a.pdf' is gone, but '\(name)' has its pages."),
            "\(listed.messages)")
        #expect(try program.jobs().first?.advice.first?.action == "resume")
    }

    @Test("A service that got a document does not replace a lost file")
    func service() throws {
        let added = try program.run([
            "sinks", "add", "mine", "--kind", "exec", "--command", "/bin/true",
        ])
        #expect(added.status == 0, "\(added.messages)")
        let job = try jam("-o", "a.pdf", "--sink", "mine")
        unlink(program.home.path + "/a.pdf")
        #expect(try program.jobs().first?.undelivered == 2)
        try discardIsRefused(job.id, "2 pages are only in this job now: 'a.pdf' is gone.")
    }

    @Test("A document in the outbox is safe there until it is dropped")
    func dropped() throws {
        let added = try program.run([
            "sinks", "add", "hook", "--kind", "webhook", "--url", "http://127.0.0.1:9/x",
        ])
        #expect(added.status == 0, "\(added.messages)")
        let job = try jam("--sink", "hook", "-o", "a.pdf")
        unlink(program.home.path + "/a.pdf")
        let listed = try program.run(["jobs"])
        #expect(listed.messages.contains("'hook' has its pages."), "\(listed.messages)")
        let waiting = try program.run(["outbox", "--json"])
        let item = try #require(
            try FileManager.default.contentsOfDirectory(
                atPath: program.home.path + "/.local/state/copystand/outbox"
            ).first { !$0.hasPrefix(".") && $0 != "delivered" }, "\(waiting.output)")
        #expect(try program.run(["outbox", "drop", item]).status == 0)
        #expect(try program.jobs().first?.undelivered == 2)
        try discardIsRefused(job.id, "'hook' is gone")
    }

    @Test("A document with fewer pages does not prove that all exist")
    func fewerPages() throws {
        for name in ["A", "B"] { mkdir(program.home.path + "/" + name, 0o700) }
        let words = "copystand scan -d virtual:feeder -p none --set resolution=75"
        let copystand = "'\(Program.folder)/copystand'"
        let run = try shell(
            """
            cd A; \(words.replacing("copystand", with: copystand)) --set fault=jam \
              --set fault-page=3 -o a.pdf; cp -p a.pdf b; mv b a.pdf; cd ../B;
            \(copystand) scan --append --set fault=jam --set fault-page=3; rm ../A/a-2.pdf
            """)
        let job = try #require(try program.jobs().first, "\(run)")
        #expect(job.pages == 4 && job.undelivered > 0)
        try discardIsRefused(job.id, "a-2.pdf' is gone")
    }

    @Test("An earlier document of the job in the archive is not the delivered one")
    func earlierDocument() throws {
        let job = try jam("--sink", "archive")
        let append = try program.run([
            "scan", "--append", "--set", "fault=jam", "--set", "fault-page=3",
        ])
        #expect(append.status == 4, "\(append.messages)")
        for words in [["trash", "2"], ["restore", "1"], ["trash", "--empty"]] {
            let done = try program.run(words)
            #expect(done.status == 0, "\(done.messages)")
        }
        #expect((try program.jobs().first?.undelivered ?? 0) > 0)
        try discardIsRefused(job.id, "document 2 of the archive was changed, replaced or damaged")
    }

    @Test("Pages that are now in another document of the archive are safe")
    func merged() throws {
        let other = program.home.path + "/o.pgm"
        try Data(Pictures.pgm(width: 300, height: 400)).write(to: URL(filePath: other))
        #expect(try program.run(["import", other, "-p", "none"]).status == 0)
        _ = try jam("--sink", "archive")
        #expect(try program.run(["pages", "1", "--merge", "2"]).status == 0)
        #expect(try program.run(["trash", "--empty"]).status == 0)
        #expect(try program.jobs().first?.undelivered == 0)
    }

    @Test("The record of an older version can be read")
    func olderRecord() throws {
        let job = try jam("-o", "a.pdf")
        let path = program.home.path + "/spool/\(job.id)/job.json"
        let data = try Data(contentsOf: URL(filePath: path))
        var record = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(record.removeValue(forKey: "places") != nil)
        try JSONSerialization.data(withJSONObject: record).write(to: URL(filePath: path))
        #expect(try program.jobs().first?.undelivered == 0)
        unlink(program.home.path + "/a.pdf")
        #expect(try program.jobs().first?.undelivered == 2)
    }

    @Test("If one of two files could not be written, the pages in the other are safe")
    func oneFailed() throws {
        let blocked = program.home.path + "/bl"
        mkdir(blocked, 0o700)
        let failed = try program.run(
            [
                "scan", "-d", "virtual:feeder", "-p", "none", "--set", "pages=2", "--set",
                "resolution=75", "-o", "ok.pdf", "-o", "bl/b.pdf",
            ]
        ) { _, messages in
            if messages.wait(for: "Page 1:") {
                try? FileManager.default.removeItem(atPath: blocked)
            }
        }
        #expect(failed.status == 5, "\(failed.messages)")
        let job = try #require(try program.jobs().first)
        #expect(job.undelivered == 0 && job.advice.first?.action == "resume")
        let listed = try program.run(["jobs"])
        #expect(listed.messages.contains("but not to every place"), "\(listed.messages)")
        unlink(program.home.path + "/ok.pdf")
        #expect(try program.jobs().first?.undelivered == 2)
    }

    @Test("Blank pages that a sink leaves out stay in the job")
    func blankPages() throws {
        try addShelf()
        let folder = program.home.path + "/pages"
        mkdir(folder, 0o700)
        for (name, bytes) in [
            ("1", Pictures.scrawl()), ("2", Pictures.pgm(width: 1240, height: 1754, gray: 255)),
            ("3", Pictures.scrawl()),
        ] {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name).pgm"))
        }
        let scanned = try program.run([
            "scan", "-d", "virtual:feeder", "-p", "none", "--step", "blank=on", "--set",
            "folder=" + folder, "--sink", "shelf", "--title", "P",
        ])
        #expect(scanned.status == 0, "\(scanned.messages)")
        let job = try #require(try program.jobs().first, "\(scanned.messages)")
        #expect(job.state == "delivered" && job.pages == 3)
        #expect(job.advice.first?.action == "keepBlank")
    }

    /// Runs a shell command with the program's environment, in its home folder.
    private func shell(_ line: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.environment = program.process([]).environment
        process.currentDirectoryURL = URL(filePath: program.home.path)
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}

/// The ways in which an archived document can be lost.
enum ArchiveAccident: String, CustomTestStringConvertible {
    case removed, deleted, trashed, taken, emptied, unreadable
    var testDescription: String { rawValue }

    var words: String {
        switch self {
        case .removed, .deleted: "document 1 of the archive is gone"
        case .trashed: "document 1 of the archive is in the trash"
        case .taken, .emptied: "document 1 of the archive was changed, replaced or damaged"
        case .unreadable: "document 1 of the archive can't be checked"
        }
    }

    func happen(_ program: Program) throws {
        let folder = program.home.path + "/.local/share/copystand"
        let files = FileManager.default
        switch self {
        case .removed: try files.removeItem(atPath: folder)
        case .trashed: #expect(try program.run(["trash", "1"]).status == 0)
        case .deleted:
            #expect(try program.run(["trash", "1"]).status == 0)
            #expect(try program.run(["trash", "--empty"]).status == 0)
        case .taken: #expect(try program.run(["pages", "1", "--delete", "1"]).status == 0)
        case .unreadable:
            try files.copyItem(atPath: folder + "/archive.sqlite", toPath: folder + "/kept")
            try Data(repeating: 1, count: 8192).write(to: URL(filePath: folder + "/archive.sqlite"))
        case .emptied:
            for name in files.enumerator(atPath: folder + "/images")?.allObjects as? [String] ?? []
            {
                var status = stat()
                let path = folder + "/images/" + name
                if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                    truncate(path, 0)
                }
            }
        }
    }
}
