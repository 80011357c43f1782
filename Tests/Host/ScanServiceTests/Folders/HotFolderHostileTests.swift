import Delivery
import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests a folder into which someone puts links, pipes and folders, to reach files outside.
@Suite struct HotFolderHostileTests {
    let path: String
    let outside: String

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-hostile-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        let root = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = root + "/watched"
        outside = root + "/outside"
        for folder in [path, outside] { try #require(mkdir(folder, 0o700) == 0) }
        try write(outside + "/file", Array("secret".utf8))
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 4, 0xFF, 0xD9]

    private func write(_ path: String, _ bytes: [UInt8] = jpeg) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    private func folder(leaves: Bool = false) throws -> HotFolder {
        try HotFolder(path, stillness: 5, leavesFiles: leaves)
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private var isOutsideUntouched: Bool {
        names(outside) == ["file"]
            && (try? String(contentsOfFile: outside + "/file", encoding: .utf8)) == "secret"
    }

    @Test(
        "A link in place of one of the host's own folders is named at the start",
        arguments: ["done", "failed", ".copystand", ".copystand/taken", ".copystand/left"])
    func ownFolders(_ name: String) throws {
        if name.hasPrefix(".copystand/") { mkdir(path + "/.copystand", 0o700) }
        try #require(symlink(outside, path + "/" + name) == 0)
        #expect { _ = try self.folder() } throws: {
            ($0 as? DeliveryError)?.message.contains("'\(path)/\(name)' is a link, not a folder")
                == true
        }
        #expect(isOutsideUntouched)
    }

    @Test(
        "A link that comes in place of 'done' or 'failed' gets no file",
        arguments: [nil, "It is no picture."] as [String?], [false, true])
    func comesLater(reason: String?, leaves: Bool) throws {
        let folder = try folder(leaves: leaves)
        try write(path + "/a.jpg")
        _ = folder.look(now: 0)
        let claimed = try #require(folder.claim("a.jpg"))
        for name in ["done", "failed"] { try #require(symlink(outside, path + "/" + name) == 0) }
        if leaves, reason == nil {
            try folder.settle(claimed, reason: reason)
        } else {
            #expect(throws: DeliveryError.self) { try folder.settle(claimed, reason: reason) }
            #expect(leaves || access(claimed, F_OK) == 0)
        }
        #expect(isOutsideUntouched)
    }

    @Test("A reason is never written through a link", arguments: [false, true])
    func reason(leaves: Bool) throws {
        let folder = try folder(leaves: leaves)
        try write(path + "/junk.pdf")
        _ = folder.look(now: 0)
        let claimed = try #require(folder.claim("junk.pdf"))
        mkdir(path + "/failed", 0o700)
        symlink(outside + "/file", path + "/failed/junk.pdf.txt")
        try folder.settle(claimed, reason: "It is no PDF.")
        let told = try String(contentsOfFile: path + "/failed/junk.pdf-2.txt", encoding: .utf8)
        #expect(told == "It is no PDF.\n")
        #expect(isOutsideUntouched)
    }

    @Test("What is left in a folder of another host is only taken if it is a file")
    func leftovers() throws {
        let work = path + "/.copystand/work-planted"
        for folder in [path + "/.copystand", work, work + "/folder"] { mkdir(folder, 0o700) }
        mkfifo(work + "/pipe.pdf", 0o600)
        symlink(outside + "/file", work + "/link.pdf")
        try write(work + "/real.jpg")
        symlink(outside, path + "/.copystand/work-link")
        #expect(try folder().leftovers() == [work + "/real.jpg"])
        #expect(isOutsideUntouched)
    }

    @Test(
        "A link that takes a file's name after the look is not imported", arguments: [false, true])
    func swapped(leaves: Bool) throws {
        let folder = try folder(leaves: leaves)
        try write(path + "/a.jpg")
        _ = folder.look(now: 0)
        #expect(folder.look(now: 5) == [.whole("a.jpg")])
        unlink(path + "/a.jpg")
        symlink(outside + "/file", path + "/a.jpg")
        #expect(folder.claim("a.jpg") == nil)
        #expect(isOutsideUntouched)
        var status = stat()
        #expect(lstat(path + "/a.jpg", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test("Links and pipes are named once, and stay")
    func others() throws {
        mkfifo(path + "/pipe.pdf", 0o600)
        symlink(outside + "/file", path + "/link.pdf")
        let folder = try folder()
        #expect(
            folder.look(now: 0) == [
                .other("link.pdf", "it is a link, and only files are read"),
                .other("pipe.pdf", "it is a pipe, and only files are read"),
            ])
        #expect(folder.look(now: 100) == [] && folder.isQuiet)
    }

    @Test("A link in place of a mark is neither followed nor changed")
    func marks() throws {
        let folder = try folder()
        try write(path + "/a.jpg")
        let claimed = try #require(folder.claim("a.jpg"))
        #expect(!folder.isRepeated(claimed))
        let taken = path + "/.copystand/taken"
        let mark = try #require(names(taken).first)
        unlink(taken + "/" + mark)
        symlink(outside + "/file", taken + "/" + mark)
        var old = [
            timespec(tv_sec: 1_700_000_000, tv_nsec: 0),
            timespec(tv_sec: 1_700_000_000, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, outside + "/file", &old, 0)
        _ = folder.isRepeated(claimed)
        var after = stat()
        stat(outside + "/file", &after)
        #expect(after.st_mtim.tv_sec == 1_700_000_000)
        #expect(isOutsideUntouched)
    }
}
