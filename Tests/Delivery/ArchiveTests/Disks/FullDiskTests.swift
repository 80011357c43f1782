import CSQLite
import Documents
import Glibc
import Testing

@testable import Archive

/// Tests archives whose disk takes nothing when they are opened.
@Suite(.enabled(if: canMount, "needs root, to mount a small file system"))
struct FullDiskTests {
    /// Leaves the log and its index as a killed program does.
    private func leaveOpen(_ disk: SmallDisk) throws {
        let process = try ArchiveProcess(["add", disk.folder.archive, "1000", "1", "5"])
        _ = process.lines(1)
        process.kill()
        _ = process.wait()
    }

    private func expectReadable(_ archive: Archive, _ disk: SmallDisk) throws {
        #expect(try archive.found("some").count == 3)
        #expect(try archive.document(disk.ids[0]).pages.count == 1)
        let report = try archive.check()
        #expect(report.problems == [] && report.documents >= 3)
    }

    private func expectNoSpace(_ disk: SmallDisk, _ body: () throws -> Void) {
        #expect(throws: ArchiveError.self) { try body() }
        do { try body() } catch {
            let error = error as? ArchiveError
            #expect(error?.code == .noSpace, "\(error as Any)")
            #expect(
                error?.message.contains("No space is left on '\(disk.folder.path)'") == true,
                "\(error as Any)")
        }
    }

    @Test(
        "An archive on a full disk is read, however it was closed",
        arguments: [Archive.Access.readOnly, .readWrite], [false, true])
    func reading(_ access: Archive.Access, wasKilled: Bool) throws {
        let disk = try SmallDisk("size=6m", reserves: false)
        if wasKilled { try leaveOpen(disk) }
        disk.fill()
        let archive = try disk.folder.open(access)
        try expectReadable(archive, disk)
        // Two that read at the same time are not in each other's way.
        try expectReadable(try disk.folder.open(.readOnly), disk)
        try expectReadable(archive, disk)
    }

    @Test("An archive is read where not one more file can be made")
    func noFiles() throws {
        let disk = try SmallDisk("size=6m,nr_inodes=80", reserves: false)
        disk.takeAllFiles()
        try expectReadable(try disk.folder.open(.readOnly), disk)
        let archive = try disk.folder.open(.readWrite)
        try expectReadable(archive, disk)
        expectNoSpace(disk) { try archive.perform([.addTag("t")], on: disk.ids[0]) }
    }

    @Test("An archive on a read-only disk is read, and a change says why it can't be made")
    func readOnly() throws {
        let disk = try SmallDisk("size=6m")
        try disk.makeReadOnly()
        try expectReadable(try disk.folder.open(.readOnly), disk)
        let archive = try disk.folder.open(.readWrite)
        try expectReadable(archive, disk)
        #expect {
            try archive.perform([.addTag("t")], on: disk.ids[0])
        } throws: {
            let error = $0 as? ArchiveError
            return error?.code == .readOnly
                && error?.message.contains("is on a read-only file system") == true
        }
    }

    @Test("On a full disk a change says what is missing, and works when there is room again")
    func room() throws {
        let disk = try SmallDisk("size=6m", reserves: false)
        disk.fill()
        let archive = try disk.folder.open(.readWrite)
        expectNoSpace(disk) { try archive.perform([.addTag("t")], on: disk.ids[0]) }
        expectNoSpace(disk) { try archive.trash(disk.ids[0]) }
        #expect(throws: ArchiveError.self) { try disk.folder.open(.create) }
        let before = try archive.stamp()
        unlink(disk.folder.path + "/filler")
        try archive.perform([.addTag("t")], on: disk.ids[0])
        #expect(try archive.stamp() != before)
        #expect(try archive.summary(disk.ids[0]).tags == ["t"])
        try expectSound(archive)
    }

    @Test("Documents are deleted on a full disk, which frees the space of their images")
    func deleting() throws {
        let disk = try SmallDisk("size=6m")
        do {
            let archive = try disk.folder.open(.create)
            let addition = try archive.begin(DocumentInfo(title: "Big", created: 0))
            let big = [UInt8](repeating: 7, count: 400_000)
            try addition.add(NewPage(page: page("much").page, image: big, media: "image/jpeg"))
            _ = try addition.finish()
        }
        disk.fill()
        #expect(disk.free == 0)
        // Each step is another program's.
        let id = try #require(
            try disk.folder.open(.readOnly).documents().first { $0.title == "Big" })
        try disk.folder.open(.readWrite).trash(id.id)
        disk.fill()
        #expect(try disk.folder.open(.readWrite).emptyTrash() == [id.id])
        #expect(disk.free > 100_000)
        let archive = try disk.folder.open(.readWrite)
        _ = try archive.compact()
        #expect(try archive.documents().count == 3)
        try expectSound(archive)
        #expect(try archive.check().strayFiles == 0)
    }

    @Test("Without a reserve, files that no page uses make the room for a deletion")
    func unused() throws {
        let disk = try SmallDisk("size=6m", reserves: false)
        let folder = try #require(try disk.folder.open(.readOnly).ownFolder)
        _ = folder.reserve.giveUp()
        _ = try folder.images.add([UInt8](repeating: 9, count: 600_000))
        disk.fill()
        try disk.folder.open(.readWrite).trash(disk.ids[0])
        let archive = try disk.folder.open(.readWrite)
        #expect(try archive.documents().count == 2)
        #expect(try archive.check().strayFiles == 0)
        try expectSound(archive)
    }

    @Test(
        "On a full disk, documents of a backup can be deleted, also where only reading made the reserve",
        arguments: [false, true])
    func backup(wasRead: Bool) throws {
        let disk = try SmallDisk("size=12m")
        let target = disk.folder.path + "/backup"
        _ = try disk.folder.open(.readWrite).backup(to: target)
        let copy = try Archive(folder: target, .readOnly)
        if wasRead {
            #expect(copy.ownFolder?.reserve.giveUp() == true)
            _ = try Archive(folder: target, .readOnly)
        }
        disk.fill()
        try Archive(folder: target, .readWrite).trash(disk.ids[0])
        #expect(try Archive(folder: target, .readOnly).documents().count == 2)
    }

    @Test("Someone who writes meanwhile is seen by one who reads without an index of the log")
    func together() throws {
        let disk = try SmallDisk("size=6m", reserves: false)
        disk.fill()
        let reader = try disk.folder.open(.readOnly)
        #expect(try reader.documents().count == 3)
        unlink(disk.folder.path + "/filler")
        let process = try ArchiveProcess(["add", disk.folder.archive, "20", "1", "5"])
        var seen = 3
        while seen < 23 {
            let now = try reader.documents().count
            #expect(now >= seen)
            seen = now
        }
        #expect(process.wait().status == 0)
        try expectSound(try disk.folder.open(.readWrite))
    }

    @Test("SQLite's codes for a disk that takes nothing become the words for it")
    func codes() throws {
        let disk = try SmallDisk("size=6m", reserves: false)
        let path = disk.folder.archive + "/archive.sqlite"
        let writeFailed = SQLITE_IOERR | 3 << 8
        let (shmOpen, shmSize) = (SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8)
        func code(_ number: Int32, _ failure: Int32 = 0) -> ArchiveError.Code {
            ArchiveError(
                DatabaseError(code: number, message: "m", operation: "o", systemError: failure),
                path: path
            ).code
        }
        for number in [writeFailed, shmOpen, shmSize] {
            #expect(code(number) == .inputOutput)
            #expect(code(number, ENOSPC) == .noSpace && code(number, EDQUOT) == .noSpace)
            #expect(code(number, EROFS) == .readOnly)
        }
        #expect(code(SQLITE_FULL) == .noSpace)
        #expect(code(SQLITE_CANTOPEN) == .folderUnusable)
        disk.fill()
        for number in [writeFailed, shmOpen, shmSize, SQLITE_CANTOPEN, SQLITE_CANTOPEN | 2 << 8] {
            #expect(code(number) == .noSpace)
        }
        try disk.makeReadOnly()
        for number in [SQLITE_READONLY, SQLITE_READONLY | 5 << 8, SQLITE_CANTOPEN, shmOpen] {
            #expect(code(number) == .readOnly)
        }
    }
}
