import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests a folder into which others put files; its clock is a number.
@Suite struct HotFolderTests {
    let path: String

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-hot-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 4, 0xFF, 0xD9]

    private func write(_ name: String, _ bytes: [UInt8] = jpeg) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }

    private func folder(_ patience: Double = 600) throws -> HotFolder {
        try HotFolder(path, stillness: 5, patience: patience)
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
    }

    @Test("A file is used once it has stayed unchanged, and not while it grows")
    func grows() throws {
        let folder = try folder()
        try write("a.jpg")
        #expect(folder.look(now: 0) == [])
        #expect(folder.look(now: 4) == [])
        try write("a.jpg", Self.jpeg + Self.jpeg)
        #expect(folder.look(now: 6) == [])
        #expect(folder.look(now: 10) == [])
        #expect(folder.look(now: 11) == [.whole("a.jpg")])
    }

    @Test("A file that someone has open for writing is not used, even if it does not change")
    func held() throws {
        let folder = try folder()
        try write("a.jpg")
        let descriptor = open(path + "/a.jpg", O_WRONLY)
        _ = folder.look(now: 0)
        #expect(folder.look(now: 100) == [])
        close(descriptor)
        #expect(folder.look(now: 101) == [.whole("a.jpg")])
    }

    @Test("An upload under a temporary name waits for its final one")
    func unfinished() throws {
        let folder = try folder(10)
        for name in [".a.jpg", "a.jpg.part", "b.crdownload", "~$c.jpg", "d.TMP", "e.pd~"] {
            try write(name)
        }
        mkdir(path + "/sub", 0o755)
        symlink("/etc/passwd", path + "/link.jpg")
        #expect(
            folder.look(now: 0) == [.other("link.jpg", "it is a link, and only files are read")])
        #expect(folder.look(now: 1000) == [])
        rename(path + "/a.jpg.part", path + "/a.jpg")
        _ = folder.look(now: 1001)
        #expect(folder.look(now: 1006) == [.whole("a.jpg")])
    }

    private static let pdf = Array("%PDF-1.4\n1 0 obj\ntrailer\nstartxref\n9\n%%EOF\n".utf8)
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0] + Array("IEND".utf8)
        + [0xAE, 0x42, 0x60, 0x82]
    /// The TIFF file has one directory with one entry, at byte 8.
    private static let tiff: [UInt8] =
        [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + [0, 1, 3, 0, 1, 0, 0, 0, 5, 0, 0, 0] + [0, 0, 0, 0]

    @Test(
        "A truncated file is recognized as incomplete, at whatever byte it ends",
        arguments: [(jpeg, 3), (pdf, 5), (png, 8), (tiff, 4)])
    func cut(bytes: [UInt8], least: Int) throws {
        for count in least...bytes.count {
            try write("x", Array(bytes.prefix(count)))
            let descriptor = open(path + "/x", O_RDONLY)
            defer { close(descriptor) }
            // The line end after a PDF's end mark may be missing, and IEND is followed by its
            // checksum.
            let slack = bytes == Self.pdf ? 1 : bytes == Self.png ? 4 : 0
            let isWhole = Wholeness(descriptor, size: count) == .whole
            #expect(isWhole == (count >= bytes.count - slack), "\(count) of \(bytes.count)")
        }
    }

    @Test("A ring of directories in a TIFF ends")
    func ring() throws {
        var ring = Self.tiff
        ring[22] = 8
        try write("x", ring)
        let descriptor = open(path + "/x", O_RDONLY)
        defer { close(descriptor) }
        #expect(Wholeness(descriptor, size: ring.count) != .whole)
    }

    @Test(
        "A file that stays incomplete is given up, reported once, and examined again when it changes"
    )
    func half() throws {
        let folder = try folder(60)
        try write("a.png", Array(Self.png.prefix(12)))
        _ = folder.look(now: 0)
        #expect(folder.look(now: 59) == [] && !folder.isQuiet)
        #expect(folder.look(now: 60) == [.broken("a.png", "its end (IEND) is missing")])
        #expect(folder.look(now: 61) == [] && folder.isQuiet)
        try write("a.png", Self.png)
        _ = folder.look(now: 62)
        #expect(folder.look(now: 67) == [.whole("a.png")])
    }

    @Test(
        "With two hosts on one folder, each file goes to one of them, and a running host's file is not a leftover"
    )
    func twoHosts() throws {
        let (one, other) = (try folder(), try folder())
        for number in 0..<50 { try write("\(number).jpg") }
        var taken: [String] = []
        for number in 0..<50 {
            let first = number % 2 == 0 ? one : other
            let second = number % 2 == 0 ? other : one
            taken += [first, second].compactMap { $0.claim("\(number).jpg") }
        }
        #expect(taken.count == 50 && Set(taken).count == 50)
        #expect(one.leftovers() == [] && other.leftovers() == [])
        for path in taken { try one.settle(path, reason: nil) }
        #expect(names("done").count == 50)
    }

    @Test(
        "Files that were read move to 'done', others to 'failed' with the reason, and none is replaced"
    )
    func settling() throws {
        let folder = try folder()
        for count in 1...3 {
            try write("a.tar.gz", Self.jpeg + [UInt8(count)])
            let claimed = try #require(folder.claim("a.tar.gz"))
            let reason = count == 3 ? "It is no picture." : nil
            try folder.settle(claimed, reason: reason)
        }
        #expect(names("done") == ["a.tar-2.gz", "a.tar.gz"])
        #expect(names("failed") == ["a.tar.gz", "a.tar.gz.txt"])
        let told = try String(contentsOfFile: path + "/failed/a.tar.gz.txt", encoding: .utf8)
        #expect(told == "It is no picture.\n")
    }

    @Test(
        "The same bytes within an hour are the same file, whichever host had it; later they are not"
    )
    func repeated() throws {
        let (one, other) = (try folder(), try folder())
        try write("a.jpg")
        let first = try #require(one.claim("a.jpg"))
        #expect(!one.isRepeated(first))
        try write("b.jpg")
        let second = try #require(other.claim("b.jpg"))
        #expect(other.isRepeated(second))
        try other.settleRepeated(second)
        #expect(names("done") == ["b.jpg", "b.jpg.txt"])
        let marks = try FileManager.default.contentsOfDirectory(atPath: path + "/.copystand/taken")
        #expect(marks.count == 1)
        var old = [
            timespec(tv_sec: 1_700_000_000, tv_nsec: 0),
            timespec(tv_sec: 1_700_000_000, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, path + "/.copystand/taken/" + marks[0], &old, 0)
        try write("c.jpg")
        let third = try #require(one.claim("c.jpg"))
        #expect(!one.isRepeated(third) && one.isRepeated(third))
        // The mark was made while the clock was years ahead.
        var ahead = [
            timespec(tv_sec: 4_000_000_000, tv_nsec: 0),
            timespec(tv_sec: 4_000_000_000, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, path + "/.copystand/taken/" + marks[0], &ahead, 0)
        #expect(!one.isRepeated(third) && one.isRepeated(third))
        // A failed file that is put back is tried again.
        try one.settle(third, reason: "It is no picture.")
        try write("d.jpg")
        #expect(!other.isRepeated(try #require(other.claim("d.jpg"))))
    }

    @Test("The next host finds files that a killed host had accepted")
    func leftovers() throws {
        try write("a.jpg")
        do {
            let killed = try folder()
            #expect(killed.claim("a.jpg") != nil)
        }
        let next = try folder()
        let left = next.leftovers()
        let file = try #require(left.first)
        #expect(left.count == 1 && file.hasSuffix("/a.jpg"))
        try next.settle(file, reason: "told")
        #expect(names("failed") == ["a.jpg", "a.jpg.txt"])
        #expect(next.leftovers() == [])
    }
}
