import Documents
import FoundationEssentials
import Glibc
import Testing

@testable import Archive

/// True if this process may mount file systems, as root may on a machine and in some containers.
let canMount: Bool = {
    guard geteuid() == 0, let folder = try? TestFolder() else { return false }
    guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount2(folder.path, CInt(MNT_DETACH))
    return true
}()

@Suite struct FaultTests {
    /// All files below a folder with their bytes.
    private func contents(_ folder: String) throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var isFolder = false
            _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
            if !isFolder { result[name] = try Data(contentsOf: URL(filePath: folder + "/" + name)) }
        }
        return result
    }

    @Test("After a kill at any moment of adding, an archive is intact and has only whole documents")
    func kill() throws {
        let folder = try TestFolder()
        var random = SeededGenerator(seed: 5)
        var told: [Int64] = []
        for round in 0..<12 {
            let process = try ArchiveProcess(["add", folder.archive, "1000", "3", "\(round)"])
            told += process.lines(Int.random(in: 0...3, using: &random)).compactMap { Int64($0) }
            // The kill comes up to 15 ms later, in the middle of any operation.
            var wait = timespec(tv_sec: 0, tv_nsec: Int.random(in: 0...15_000_000, using: &random))
            nanosleep(&wait, nil)
            process.kill()
            let (rest, status) = process.wait()
            told += rest.compactMap { Int64($0) }
            #expect(status == 128 + SIGKILL)
        }
        let archive = try folder.open()
        let documents = try archive.documents()
        #expect(!told.isEmpty && Set(told).isSubset(of: documents.map(\.id.rawValue)))
        #expect(told.count <= documents.count && documents.count <= told.count + 12)
        for document in documents { #expect(try archive.document(document.id).pages.count == 3) }
        let report = try archive.check()
        #expect(report.problems == [] && report.pages == 3 * documents.count)
        _ = try archive.compact()
        #expect(try archive.check().strayFiles == 0)
        try expectSound(archive)
    }

    @Test("Several processes add, change, search and compact at the same time without an error")
    func together() throws {
        let folder = try TestFolder()
        let workers =
            try (0..<3).map { try ArchiveProcess(["mix", folder.archive, "25", "\($0)"]) } + [
                ArchiveProcess(["add", folder.archive, "8", "2", "9"])
            ]
        let archive = try folder.open()
        // This process reads while the others write.
        for _ in 0..<20 { _ = try archive.search("half") }
        let results = workers.map { $0.wait() }
        for result in results {
            #expect(result.status == 0, "\(result.lines.suffix(1))")
        }
        let added = results[3].lines.compactMap { Int64($0) }
        #expect(added.count == 8)
        for id in added {
            #expect(try archive.summary(DocumentID(rawValue: id)).id.rawValue == id)
        }
        try expectSound(archive)
    }

    @Test(
        "A full disk gives a clear error at any point, and nothing is lost",
        .enabled(if: canMount, "needs root, to mount a small file system"))
    func fullDisk() throws {
        let folder = try TestFolder()
        for kilobytes in [120, 200, 260, 320, 420, 640] {
            #expect(mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kilobytes)k") == 0)
            defer { umount2(folder.path, CInt(MNT_DETACH)) }
            var added: [DocumentID] = []
            var failure: ArchiveError?
            do {
                let archive = try folder.open()
                for number in 0..<400 {
                    let text = (0..<60).map { "word\(number)x\($0)" }.joined(separator: " ")
                    added.append(try archive.add("Document \(number)", text))
                }
            } catch { failure = error as? ArchiveError }
            #expect(failure?.code == .noSpace, "\(kilobytes) kB: \(failure?.message ?? "no error")")
            // Space becomes free, and everything continues.
            #expect(mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=8m") == 0)
            let archive = try folder.open()
            #expect(try archive.documents().map(\.id).sorted() == added)
            try archive.add("Afterwards", "text")
            try expectSound(archive)
        }
    }

    @Test(
        "A file that is not a database is refused and left unchanged",
        arguments: [
            ("no database at all, but a longish text", 200, ArchiveError.Code.notAnArchive),
            // SQLite would treat such a short file as empty, and overwrite it.
            ("short", 1, .notAnArchive),
            ("SQLite format 3\u{0}garbage that follows the right first bytes", 200, .notAnArchive),
        ])
    func garbage(text: String, count: Int, code: ArchiveError.Code) throws {
        let folder = try TestFolder()
        try makeFolder(folder.archive)
        let bytes = Data(String(repeating: text, count: count).utf8)
        try bytes.write(to: URL(filePath: folder.archive + "/archive.sqlite"))
        for access in [Archive.Access.create, .readWrite, .readOnly] {
            #expect { try folder.open(access) } throws: {
                let error = $0 as? ArchiveError
                return error?.code == code && error?.message.contains("Nothing was changed") == true
            }
        }
        #expect(try contents(folder.archive)["archive.sqlite"] == bytes)
    }

    @Test(
        "A damaged database is reported, not changed, and recovered as far as it can be read",
        arguments: 0..<12 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        let folder = try TestFolder()
        do {
            let archive = try folder.open()
            for number in 0..<30 {
                let id = try archive.add("Document \(number)", "alpha\(number)", "beta\(number)")
                if number % 3 == 0 {
                    let page = try archive.document(id).pages[0].id
                    try archive.perform(
                        [.setType(.form), .rotate(pages: [page], by: .half), .addTag("t")], on: id)
                }
            }
            try archive.access { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
        }
        let path = folder.archive + "/archive.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: path))
        var random = SeededGenerator(seed: seed)
        // Two pages of the file are overwritten, but not the first, which contains the schema.
        for _ in 0..<2 {
            let page = Int.random(in: 1..<(bytes.count / 4_096), using: &random)
            for offset in 0..<4_096 {
                bytes[page * 4_096 + offset] = .random(in: 0...255, using: &random)
            }
        }
        try bytes.write(to: URL(filePath: path))

        var problems: [String] = []
        do { problems = try folder.open(.readOnly).check().problems } catch {
            problems = [(error as? ArchiveError)?.message ?? ""]
            #expect([.damaged, .notAnArchive].contains((error as? ArchiveError)?.code), "\(error)")
        }
        #expect(!problems.isEmpty)
        // Every request gives a result or an error of the archive.
        for access in [Archive.Access.readOnly, .readWrite] {
            for query in ["alpha3", "beta*", "\"alpha7\""] {
                do { _ = try folder.open(access).search(query) } catch {
                    #expect(error is ArchiveError)
                }
            }
        }
        let target = try Archive(folder: folder.path + "/new", .create)
        let report: RecoveryReport
        do { report = try target.recover(from: folder.archive) } catch {
            // Without the overwritten page, nothing can be found.
            #expect(error.code == .damaged, "\(error)")
            return
        }
        #expect(report.documents.count + report.lost.count <= 30)
        for document in report.documents {
            #expect(try target.document(document.id).pages.count >= 1)
            if document.losses.isEmpty {
                #expect(try target.document(document.id).pages.count == 2)
            }
        }
        try expectSound(target)
    }

    @Test("A truncated database is recovered as far as possible", arguments: [0.95, 0.72])
    func cutOff(share: Double) throws {
        let folder = try TestFolder()
        do {
            let archive = try folder.open()
            for number in 0..<60 {
                _ = try archive.add("Document \(number)", "alpha\(number)", "beta\(number)")
            }
            try archive.access { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
        }
        let path = folder.archive + "/archive.sqlite"
        let bytes = try Data(contentsOf: URL(filePath: path))
        // The file is not cut at the end of a page.
        try bytes.prefix(Int(Double(bytes.count) * share) + 100).write(to: URL(filePath: path))
        let target = try Archive(folder: folder.path + "/new", .create)
        let report = try target.recover(from: folder.archive)
        #expect(!report.documents.isEmpty && report.documents.count + report.lost.count <= 60)
        try expectSound(target)
    }

    @Test(
        "A database with a destroyed beginning is recovered from the undamaged part",
        arguments: [100, 4_096])
    func headless(bytes count: Int) throws {
        let folder = try TestFolder()
        do {
            let archive = try folder.open()
            for number in 0..<40 { _ = try archive.add("Document \(number)", "alpha\(number)") }
            try archive.trash(DocumentID(rawValue: 7))
            try archive.access { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
        }
        let path = folder.archive + "/archive.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: path))
        var random = SeededGenerator(seed: 5)
        for offset in 0..<count { bytes[offset] = .random(in: 0...255, using: &random) }
        try bytes.write(to: URL(filePath: path))
        #expect(throws: ArchiveError.self) { try folder.open(.readWrite) }
        let target = try Archive(folder: folder.path + "/new", .create)
        let report = try target.recover(from: folder.archive)
        #expect(report.lost.isEmpty && report.documents.flatMap(\.losses) == [])
        #expect(report.documents.map(\.title) == (0..<40).map { "Document \($0)" })
        #expect(try target.search("alpha23").total == 1)
        try expectSound(target)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new")
                .filter { $0.hasPrefix(".") } == [])
    }

    @Test("Recovery from a file that never was a database gives nothing, and the reason")
    func nothing() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: folder.archive, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 40_000).write(
            to: URL(filePath: folder.archive + "/archive.sqlite"))
        let target = try Archive(folder: folder.path + "/new", .create)
        #expect {
            _ = try target.recover(from: folder.archive)
        } throws: {
            let error = $0 as? ArchiveError
            return error?.code == .damaged && error?.message.contains("Put a backup") == true
        }
    }

    @Test("An archive is not recovered into itself, whatever path its folder is given by")
    func intoItself() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        _ = try archive.add("Invoice", "one two")
        #expect {
            _ = try archive.recover(from: folder.archive + "/./")
        } throws: {
            ($0 as? ArchiveError)?.code == .refused
        }
        #expect(try archive.documents().count == 1)
    }

    @Test("An intact archive is recovered completely, with its changes")
    func wholeRecovery() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try archive.add("Invoice", "one two", "three")
        let page = try archive.document(id).pages[1].id
        try archive.perform(
            [
                .move(page: page, to: 0), .rotate(pages: [page], by: .clockwise90),
                .setType(.invoice), .setField(name: "a", value: "b", source: nil), .addTag("t"),
            ], on: id)
        try archive.trash(try archive.add("Gone", "four"))
        let target = try Archive(folder: folder.path + "/new", .create)
        let report = try target.recover(from: folder.archive)
        #expect(report.lost.isEmpty && report.documents.map(\.title) == ["Invoice", "Gone"])
        #expect(report.documents.flatMap(\.losses) == [])
        let old = try archive.document(id)
        let new = try target.document(report.documents[0].id)
        #expect(new.pages.map(\.page.text) == old.pages.map(\.page.text))
        #expect(new.pages.map(\.frame) == old.pages.map(\.frame))
        #expect(new.summary.type == .invoice && new.summary.tags == ["t"])
        #expect(try target.documents(DocumentFilter(isTrash: true)).map(\.title) == ["Gone"])
    }

    @Test(
        "An archive in a read-only folder can be read, and writing gives a clear error",
        .enabled(if: canMount, "needs root, to mount a file system read-only"))
    func readOnly() throws {
        let folder = try TestFolder()
        do { try folder.open().add("Kept", "some text") }
        // The folder is mounted over itself. The new mount has no writer, while the file system may
        // still have one in a child that another test is starting.
        try #require(mount(folder.path, folder.path, "", UInt(MS_BIND), "") == 0)
        defer { umount2(folder.path, CInt(MNT_DETACH)) }
        try #require(
            mount("", folder.path, "", UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), "") == 0)
        let archive = try folder.open(.readOnly)
        #expect(try archive.found("some") == ["Kept"])
        #expect(try archive.documents().count == 1)
        for access in [Archive.Access.create, .readWrite] {
            #expect {
                try folder.open(access).add("New", "text")
            } throws: {
                let error = $0 as? ArchiveError
                return error?.code == .readOnly && error?.message.contains(folder.archive) == true
            }
        }
    }

    @Test("A missing archive, and a file where its folder should be, are clear errors")
    func missing() throws {
        let folder = try TestFolder()
        for access in [Archive.Access.readOnly, .readWrite] {
            #expect { try folder.open(access) } throws: {
                ($0 as? ArchiveError)?.code == .missing
            }
        }
        try Data("x".utf8).write(to: URL(filePath: folder.archive))
        #expect { try folder.open() } throws: {
            ($0 as? ArchiveError)?.code == .folderUnusable
        }
        #expect(try Data(contentsOf: URL(filePath: folder.archive)) == Data("x".utf8))
    }
}
