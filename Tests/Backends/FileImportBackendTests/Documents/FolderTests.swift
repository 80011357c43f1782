import CaptureKit
import FileImportBackend
import FoundationEssentials
import Glibc
import Testing

@Suite struct FolderTests {
    private static func gray(_ value: UInt8) -> [UInt8] { Array("P5 1 1 255\n".utf8) + [value] }

    @Test("A folder's files are read in natural order; those not read are reported with the reason")
    func order() async throws {
        let scratch = try Scratch()
        for number in [10, 2, 1] { try scratch.file("page\(number).pgm", Self.gray(UInt8(number))) }
        try scratch.file(".page0.pgm", Self.gray(0))
        try scratch.file("notes.txt", Array("page3 is missing".utf8))
        try scratch.file("more/page3.pgm", Self.gray(3))
        let recording = try await record(scratch.path)
        try scratch.file("Thumbs.db", [1, 2, 3])
        try scratch.file("z.zip", Array("PK\u{3}\u{4}stuff".utf8))
        try make(in: scratch, "mkfifo pipe; ln -s nowhere gone")
        let told = try await record(scratch.path)
        #expect(told.pages.map(\.description.label) == ["page1.pgm", "page2.pgm", "page10.pgm"])
        #expect(
            recording.labels.prefix(4) == ["notes.txt", "page1.pgm", "page2.pgm", "page10.pgm"])
        #expect(recording.skips.map(\.code) == [.notAPage, .notAPage, .notAPage])
        #expect(recording.skips[0].message.contains("looks like text"))
        #expect(recording.skips[1].message == "1 hidden file was not read: .page0.pgm")
        #expect(recording.skips[2].message == "1 subfolder was not read: more")
        #expect(recording.skips[2].advice?.contains("recursive") == true)
        // The broken link was meant to be a page; the pipe and the archive were not.
        #expect(
            told.skips.map(\.code) == [
                .noSuchDevice, .notAPage, .notAPage, .notAPage, .notAPage, .notAPage,
            ])
        #expect(told.skips[4].message == "2 hidden files were not read: .page0.pgm, Thumbs.db")
    }

    @Test("Subfolders are read on request, links to folders never")
    func recursion() async throws {
        let scratch = try Scratch()
        try scratch.file("b.pgm", Self.gray(2))
        try scratch.file("a/1.pgm", Self.gray(1))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/a/circle", withDestinationPath: scratch.path)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/link.pgm", withDestinationPath: scratch.path + "/b.pgm")
        let recording = try await record(scratch.path, ["recursive": .bool(true)])
        #expect(recording.labels.prefix(3) == ["a/1.pgm", "b.pgm", "link.pgm"])
        #expect(recording.skips.map(\.message) == ["1 subfolder was not read: a/circle"])
        #expect(recording.pages.map(\.bytes) == [[1], [2], [2]])
    }

    @Test("A bad file is reported in its place, and the other files are delivered")
    func badFile() async throws {
        let scratch = try Scratch()
        try scratch.file("1.jpg", Array("I am a text".utf8))
        try scratch.file("2.pgm", Self.gray(2))
        try scratch.file("3.png", [])
        try scratch.file("4.pgm", Self.gray(4))
        let recording = try await record(scratch.path)
        #expect(recording.labels == ["1.jpg", "2.pgm", "3.png", "4.pgm"])
        #expect(recording.pages.map(\.bytes) == [[2], [4]])
        #expect(recording.skips.map(\.code) == [.damagedData, .damagedData])
        #expect(recording.skips[0].message.contains("text"))
        #expect(recording.skips[1].message.contains("empty"))
    }

    @Test("A folder without pages is an error that says what can be read")
    func noPages() async throws {
        let scratch = try Scratch()
        try scratch.file("notes.txt", Array("nothing".utf8))
        try scratch.file("in/1.pgm", Self.gray(1))
        let error = try await failure(scratch.path)
        #expect(error.code == .feederEmpty)
        #expect(error.message.contains(scratch.path))
        #expect(error.advice?.contains("recursive") == true)
    }

    @Test("In a folder of only bad files, each is reported, and one of them ends the import")
    func onlyBad() async throws {
        let scratch = try Scratch()
        try scratch.file("1.png", [1, 2, 3])
        try scratch.file("2.jpg", [])
        let sink = RecordingSink()
        let error = try await failure(scratch.path, sink: sink)
        #expect(error.code == .damagedData)
        #expect(error.message.contains("1.png"))
        #expect(sink.recording.labels == ["2.jpg"])
    }

    @Test("More files than the limit are refused")
    func tooMany() async throws {
        let scratch = try Scratch()
        for number in 1...4 { try scratch.file("\(number).pgm", Self.gray(1)) }
        let error = try await failure(scratch.path, limits: ImportLimits(maximumFiles: 3))
        #expect(error.code == .tooLarge)
    }

    @Test("A limit counts good pages over all files")
    func limit() async throws {
        let scratch = try Scratch()
        for number in 1...4 { try scratch.file("\(number).pgm", Self.gray(UInt8(number))) }
        try scratch.file("1.pgm", Array("P5 1 1 255\n".utf8))
        #expect(try await record(scratch.path, limit: 2).pages.map(\.bytes) == [[2], [3]])
    }

    @Test("A name that is not UTF-8, or has control characters, is opened and shown safely")
    func strangeNames() async throws {
        let scratch = try Scratch()
        try scratch.file("a\u{1B}[31m.pgm", Self.gray(7))
        let latin = try scratch.file("b.pgm", Self.gray(8))
        // "bär" in Latin-1, which is not UTF-8.
        let name = Array((scratch.path + "/b").utf8) + [0xE4] + Array("r.pgm".utf8) + [0]
        #expect(name.withUnsafeBytes { rename(latin, $0.baseAddress!) } == 0)
        let recording = try await record(scratch.path)
        #expect(recording.pages.map(\.bytes) == [[7], [8]])
        #expect(recording.labels == ["a\\x1b[31m.pgm", "b\\xe4r.pgm"])
    }
}
