import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests which of the files in a folder become one document.
///
/// A number replaces the clock.
@Suite struct HotGroupsTests {
    let path: String
    let folder: HotFolder

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-hot-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        folder = try HotFolder(path, stillness: 1, patience: 60)
    }

    /// Writes a picture with a time; if `isHalf`, its end is missing.
    private func write(_ name: String, time: Int = 0, isHalf: Bool = false) throws {
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2] + (isHalf ? [] : [0xFF, 0xD9])
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
        var times = [
            timespec(tv_sec: 1_800_000_000 + time, tv_nsec: 0),
            timespec(tv_sec: 1_800_000_000 + time, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, path + "/" + name, &times, 0)
        try waitUntilClosed(path + "/" + name)
    }

    /// Waits for programs that other tests are starting, since these programs also have the file
    /// open for writing until they run.
    private func waitUntilClosed(_ file: String) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let setLease: Int32 = 1024
        while fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0, errno == EAGAIN { usleep(1_000) }
        _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
    }

    /// The groups that are ready at each of these times.
    private func look(_ groups: inout HotGroups, _ times: Double...) -> [[HotGroups.Group]] {
        times.map { groups.ready(folder.look(now: $0), in: folder, now: $0) }
    }

    @Test("By default every file is a document")
    func each() throws {
        var groups = HotGroups(.each)
        try write("b.jpg")
        try write("a.jpg")
        #expect(look(&groups, 0, 1) == [[], [.document(["a.jpg"]), .document(["b.jpg"])]])
    }

    @Test("Files that arrive until a pause are one document, in the order of their numbers")
    func quiet() throws {
        var groups = HotGroups(.quiet(10))
        try write("page 2.jpg")
        #expect(look(&groups, 0, 2, 8) == [[], [], []])
        // The next page is arriving; half of a page does not complete the document.
        try write("page 10.jpg", isHalf: true)
        #expect(look(&groups, 9, 13, 20) == [[], [], []])
        try write("page 10.jpg", time: 1)
        #expect(look(&groups, 21, 23, 32) == [[], [], []])
        #expect(look(&groups, 33) == [[.document(["page 2.jpg", "page 10.jpg"])]])
    }

    @Test("Names that differ in their last number are one document, each other file is its own")
    func numbered() throws {
        var groups = HotGroups(.numbered(10))
        for name in ["scan7-1.jpg", "scan7-2.jpg", "scan8-1.jpg", "letter.jp2", "scan7-10.jpg"] {
            try write(name)
        }
        #expect(look(&groups, 0, 1) == [[], [.document(["letter.jp2"])]])
        try #require(folder.claim(["letter.jp2"]) != nil)
        try write("scan8-2.jpg")
        #expect(look(&groups, 5, 6, 10) == [[], [], []])
        #expect(
            look(&groups, 11) == [[.document(["scan7-1.jpg", "scan7-2.jpg", "scan7-10.jpg"])]])
        try #require(folder.claim(["scan7-1.jpg", "scan7-2.jpg", "scan7-10.jpg"])?.count == 3)
        #expect(look(&groups, 12, 16) == [[], [.document(["scan8-1.jpg", "scan8-2.jpg"])]])
    }

    @Test(
        "Fronts and backs are paired in the order in which they arrived, and a single file is given up"
    )
    func sides() throws {
        var groups = HotGroups(.sides)
        try write("z.jpg", time: 1)
        try write("a.jpg", time: 2)
        try write("m.jpg", time: 3)
        #expect(look(&groups, 0, 1) == [[], [.document(["z.jpg", "a.jpg"])]])
        try #require(folder.claim(["z.jpg", "a.jpg"])?.count == 2)
        #expect(look(&groups, 2, 60) == [[], []])
        let alone = look(&groups, 61).first?.first
        guard case .broken("m.jpg", let why)? = alone else {
            Issue.record("\(alone as Any)")
            return
        }
        #expect(why.contains("backs"))
    }

    @Test("The host that takes a document's first file gets all of its files")
    func twoHosts() throws {
        let other = try HotFolder(path, stillness: 1)
        let names = (1...9).map { "page-\($0).jpg" }
        for name in names { try write(name) }
        #expect(folder.claim(names)?.count == 9)
        #expect(other.claim(names) == nil)
    }
}
