import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import CaptureHost

/// Tests the treatment of pages that a killed process left unfinished.
@Suite struct ArrivalTests {
    private let folder: TemporaryFolder
    private let spool: SpoolFolder
    private static let rows = [UInt8](repeating: 7, count: 1200)
    private static let room = 16

    init() throws {
        folder = try TemporaryFolder()
        spool = SpoolFolder(path: folder.path)
    }

    private func note(
        _ label: String, original: CapturedPage.StoredOriginal? = nil, text: String? = nil
    ) -> SpoolFolder.Note {
        SpoolFolder.Note(
            description: FrameDescription(format: .gray8, width: 40, height: 30, label: label),
            original: original, room: Self.room, modified: .now, text: text)
    }

    /// A page of a process that was killed between the last row and the sync: with reserved space,
    /// and without a final name.
    private func leave(
        _ number: Int, bytes: Int = 1200, original: CapturedPage.StoredOriginal? = nil
    ) throws {
        let file = try SpoolFile(path: spool.pagePath(number, "raw"), size: 0)
        try Self.rows.prefix(bytes).withUnsafeBytes { try file.write($0, at: Self.room) }
        if let original {
            Bench.write("jpeg", to: original.path + ".part")
        }
        spool.noteArrival(
            number, note("sheet \(number)", original: original), size: Self.room + 1200,
            originalSize: original == nil ? 0 : 4)
    }

    @Test("A page's own text outlives a process that is killed before the page has its name")
    func ownText() throws {
        let text = FrameText(
            words: [.init(text: "Größe", x: 1, y: 2, width: 30, height: 8, ends: .block)])
        let bytes = try JSONEncoder().encode(text)
        let path = spool.pagePath(1, "text")
        Bench.write(String(decoding: bytes, as: UTF8.self), to: path + ".part")
        let file = try SpoolFile(path: spool.pagePath(1, "raw"), size: 0)
        try Self.rows.withUnsafeBytes { try file.write($0, at: Self.room) }
        spool.noteArrival(
            1, note("sheet 1", text: path), size: Self.room + 1200, originalSize: 0,
            textSize: bytes.count)
        try spool.takeUp()
        let page = try #require(try spool.pages().first)
        #expect(try page.ownText() == text)
        page.discard()
        #expect(folder.names() == [])
    }

    @Test("A page whose last row had arrived when its process was killed is finished by the next")
    func arrived() throws {
        try leave(1)
        try spool.writeNote(1, note("of before the end"))
        Bench.write("{", to: spool.pagePath(2, "json.part"))
        try leave(2, original: .init(path: spool.pagePath(2, "jpg"), mediaType: "image/jpeg"))
        #expect(try spool.pages().isEmpty)
        #expect(try spool.arrivedNumbers().count == 2)
        try spool.takeUp()
        let pages = try spool.pages()
        #expect(pages.map(\.description.label) == ["sheet 1", "sheet 2"])
        for page in pages {
            let mapped = try page.mapPixels()
            defer { mapped.release() }
            #expect(mapped.bytes.elementsEqual(Self.rows))
            // Released bytes are read from the file again.
            mapped.forget(mapped.bytes.count)
            mapped.forget(.max / 2)
            #expect(mapped.bytes.elementsEqual(Self.rows))
        }
        #expect(Bench.read(try #require(pages[1].original).path) == Array("jpeg".utf8))
        #expect(
            folder.names() == [
                "page-0001.json", "page-0001.raw", "page-0002.jpg", "page-0002.json",
                "page-0002.raw",
            ])
        #expect(try spool.arrivedNumbers().count == 0)
    }

    @Test("A page with missing bytes is not a page, whatever its note says")
    func short() throws {
        try leave(1, bytes: 1199)
        #expect(try spool.arrivedNumbers().count == 0)
        try spool.takeUp()
        #expect(folder.names().isEmpty)
    }

    @Test("After a restart of the machine, unsynced pages are not trusted")
    func otherBoot() throws {
        try leave(1)
        let path = spool.pagePath(1, "arrived")
        let boot = try #require(SpoolFolder.bootID?.prefix(8))
        let text = String(decoding: Bench.read(path), as: UTF8.self)
        #expect(text.contains(boot))
        Bench.write(text.replacing(boot, with: "00000000"), to: path)
        #expect(try spool.arrivedNumbers().count == 0)
        try spool.takeUp()
        #expect(folder.names().isEmpty)
    }

    @Test("A truncated note of an arrival is ignored", arguments: [0, 1, 40])
    func cut(length: Int) throws {
        try leave(1)
        let path = spool.pagePath(1, "arrived")
        #expect(truncate(path, off_t(length)) == 0)
        try spool.takeUp()
        #expect(folder.names().isEmpty)
    }

    @Test("Other unfinished pages are removed, finished ones and other files are not")
    func leftovers() throws {
        for name in [
            "page-0001.raw", "page-0001.arrived", "page-0002.raw.part", "page-0002.jpg.part",
            "notes.part",
        ] {
            Bench.write("x", to: folder.file(name))
        }
        try spool.takeUp()
        #expect(folder.names() == ["notes.part", "page-0001.raw"])
    }

    @Test("A complete capture, or one with an incomplete last page, leaves no arrival note")
    func regular() async throws {
        let bench = try Bench(
            script: """
                capture = opened()
                page(capture, 1)
                frame(capture, 2)
                send({"event": "pixels", "capture": capture, "frame": 2}, b"p" * 100)
                send({"event": "done", "capture": capture, "frame": 2, "rows": 30})
                take()
                """)
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.pages.count == 1 && outcome.error != nil)
        #expect(!bench.folder.names().contains { $0.hasSuffix(".arrived") })
        await bench.host.shutdown()
    }
}
