import Documents
import FoundationEssentials
import Glibc
import Testing

@testable import Archive

@Suite struct UpkeepTests {
    private let folder: TestFolder
    private let archive: Archive

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
        try archive.add("First", "one", "two")
        try archive.add("Second", "three")
    }

    @Test(
        "A backup that is made while others write contains everything from one moment"
    )
    func backup() throws {
        let writer = try ArchiveProcess(["add", folder.archive, "20", "2", "1"])
        _ = writer.lines(3)
        let target = folder.path + "/backup"
        let report = try archive.backup(to: target)
        _ = writer.wait()
        #expect(report.problems.isEmpty && report.documents >= 5 && report.folder == target)
        let copy = try Archive(folder: target, .readWrite)
        #expect(try copy.documents().count == report.documents)
        #expect(try copy.found("three") == ["Second"])
        let image = try copy.document(DocumentID(rawValue: 1)).pages[0].image
        #expect(try copy.image(image) == Array("image of one".utf8))
        try expectSound(copy)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "archive", "backup",
            ])
        #expect { try archive.backup(to: target) } throws: {
            ($0 as? ArchiveError)?.code == .refused
        }
    }

    @Test(
        "The error for a backup to a place where no folder can be made says so",
        arguments: ["/proc/copy", "/proc/a/copy"])
    func impossibleBackup(target: String) {
        let error = #expect(throws: ArchiveError.self) { try archive.backup(to: target) }
        #expect(error?.message.contains("'/proc/") ?? false)
    }

    @Test("A check finds a damaged image, a missing one, a wrong index and a wrong table")
    func check() throws {
        try expectSound(archive)
        let first = try archive.document(DocumentID(rawValue: 1)).pages
        let path = archive.imageFolder.path(of: first[0].image)
        try Data("something else".utf8).write(to: URL(filePath: path))
        unlink(archive.imageFolder.path(of: first[1].image))
        let problems = try archive.check().problems
        #expect(problems.count == 2)
        #expect(problems.contains { $0.contains(path) && $0.contains("document 1") })

        let database = try folder.database()
        try database.run("UPDATE leaf SET body = 'untrue' WHERE id = 3")
        #expect(try archive.check().problems.count == 3)
        try database.run("UPDATE leaf SET position = 7 WHERE id = 1")
        #expect(try archive.check().problems.contains { $0.hasPrefix("Document 1: its pages") })
    }

    @Test("Compacting removes only images that no page has")
    func compact() throws {
        let before = try archive.images.files().count
        try archive.trash(DocumentID(rawValue: 1))
        #expect(try archive.compact().removedFiles == 0)
        #expect(try archive.emptyTrash() == [DocumentID(rawValue: 1)])
        #expect(try archive.images.files().count == before)
        let report = try archive.compact()
        #expect(report.removedFiles == 4 && report.freedBytes > 0)
        #expect(try archive.images.files().count == 2)
        #expect(try archive.found("three") == ["Second"])
        try expectSound(archive)
    }

    @Test("Images of a document that is being added are not removed")
    func compactWhileAdding() throws {
        let other = try folder.open()
        let addition = try other.begin(DocumentInfo(title: "On its way", created: 0))
        try addition.add(page("new"))
        #expect { try archive.compact() } throws: { ($0 as? ArchiveError)?.code == .busy }
        let id = try addition.finish()
        _ = try archive.compact()
        #expect(
            try archive.image(archive.document(id).pages[0].image) == Array("image of new".utf8))
    }

    @Test("A backup has no folders of this machine that an earlier version wrote into pages")
    func backedUpFolders() throws {
        let provenance = #"{"device":"file:\/home\/ada\/private\/may.pdf","steps":[]}"#
        try archive.access { database in
            try database.run(
                "UPDATE page SET provenance = ?, problems = ?",
                [.text(provenance), .text(#"["'/home/ada/private/may.pdf' is bad"]"#)])
        }
        let target = folder.path + "/backup"
        _ = try archive.backup(to: target)
        let bytes = try Data(contentsOf: URL(filePath: target + "/archive.sqlite"))
        #expect(bytes.firstRange(of: Data("private".utf8)) == nil)
        let page = try Archive(folder: target, .readOnly).document(DocumentID(rawValue: 1)).pages[0]
        #expect(page.page.provenance.device == "file:may.pdf")
        #expect(page.page.problems == ["'may.pdf' is bad"])
    }

    @Test("The remains of an interrupted addition are counted, and removed")
    func strays() throws {
        let addition = try archive.begin(DocumentInfo(title: "Broken off", created: 0))
        try addition.add(page("stray"))
        addition.cancel()
        let kept = archive.imageFolder.path(of: ImageHash(of: Array("image of one".utf8)))
        try Data("half".utf8).write(to: URL(filePath: kept.parent + "/.half.partial"))
        let report = try archive.check()
        #expect(report.strayFiles == 3 && report.problems == [])
        #expect(try archive.compact().removedFiles == 3)
        #expect(try archive.check().strayFiles == 0)
    }

    @Test("The same picture in two documents is stored once, as long as one of them exists")
    func sharing() throws {
        let before = try archive.images.files().count
        let again = try archive.add("Again", "one")
        #expect(try archive.images.files().count == before)
        try archive.trash(DocumentID(rawValue: 1))
        _ = try archive.emptyTrash()
        _ = try archive.compact()
        #expect(
            try archive.image(archive.document(again).pages[0].image) == Array("image of one".utf8))
    }
}
