import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests files that stay in the folder after they were used.
@Suite struct HotFolderLeavingTests {
    let path: String

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-left-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func write(_ name: String, _ tail: [UInt8] = []) throws {
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + tail + [0xFF, 0xD9]
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }

    private func folder() throws -> HotFolder {
        try HotFolder(path, stillness: 5, patience: 60, leavesFiles: true)
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + folder)) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The files that a folder offers once all of them are unchanged.
    private func found(_ folder: HotFolder, at time: Double = 0) -> [HotFolder.Found] {
        _ = folder.look(now: time)
        return folder.look(now: time + 10)
    }

    @Test("A file is read in another place, stays, and is not used again, even by the next host")
    func once() throws {
        let folder = try folder()
        try write("a.jpg")
        #expect(found(folder) == [.whole("a.jpg")])
        let claimed = try #require(folder.claim("a.jpg"))
        #expect(claimed != path + "/a.jpg")
        #expect(try Data(contentsOf: URL(filePath: claimed)).count == 6)
        #expect(try folder.settle(claimed, reason: nil) == path + "/a.jpg")
        #expect(names("") == ["a.jpg"] && names("/.copystand/left").count == 1)
        #expect(found(folder, at: 20) == [] && folder.isQuiet)
        #expect(try found(self.folder()) == [])
        try write("a.jpg", [1])
        #expect(found(folder, at: 40) == [.whole("a.jpg")])
    }

    @Test("Only one of two hosts uses a file")
    func raced() throws {
        let (one, other) = (try folder(), try folder())
        try write("a.jpg")
        #expect(found(one) == [.whole("a.jpg")] && found(other) == [.whole("a.jpg")])
        #expect(one.claim("a.jpg") != nil && other.claim("a.jpg") == nil)
        #expect(other.leftovers() == [])
    }

    @Test("A file that can't be read stays, with the reason in 'failed', and is not tried again")
    func failed() throws {
        let folder = try folder()
        try write("a.jpg")
        _ = found(folder)
        let claimed = try #require(folder.claim("a.jpg"))
        try folder.settle(claimed, reason: "It is no picture.")
        #expect(names("") == ["a.jpg", "failed"] && names("/failed") == ["a.jpg.txt"])
        #expect(try found(self.folder()) == [])
    }

    @Test("A file under another name, or with another time, is the same file")
    func renamed() throws {
        let folder = try folder()
        try write("a.jpg")
        _ = found(folder)
        #expect(try !folder.isRepeated(#require(folder.claim("a.jpg"))))
        rename(path + "/a.jpg", path + "/b.jpg")
        #expect(found(folder, at: 20) == [.whole("b.jpg")])
        #expect(try folder.isRepeated(#require(folder.claim("b.jpg"))))
    }

    @Test("The next host finds the file that a killed one was reading")
    func killed() throws {
        try write("a.jpg")
        do {
            let killed = try folder()
            _ = found(killed)
            #expect(killed.claim("a.jpg") != nil)
        }
        let next = try folder()
        let left = next.leftovers()
        #expect(left.count == 1)
        #expect(try next.settle(left[0], reason: "told") == path + "/a.jpg")
        #expect(names("") == ["a.jpg", "failed"] && next.leftovers() == [])
    }

    @Test("Marks of files that were removed long ago are deleted")
    func pruned() throws {
        let first = try folder()
        for name in ["a.jpg", "b.jpg"] { try write(name, Array(name.utf8)) }
        _ = found(first)
        for name in ["a.jpg", "b.jpg"] { #expect(first.claim(name) != nil) }
        unlink(path + "/b.jpg")
        for mark in names("/.copystand/left") {
            let old = [
                timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0),
            ]
            utimensat(AT_FDCWD, path + "/.copystand/left/" + mark, old, 0)
        }
        #expect(try found(folder()) == [])
        #expect(names("/.copystand/left").count == 1)
    }
}
