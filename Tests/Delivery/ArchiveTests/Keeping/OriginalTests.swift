import Documents
import FoundationEssentials
import Glibc
import Testing

@testable import Archive

/// Tests imported files that are stored with the pages that come from them.
@Suite struct OriginalTests {
    private let folder: TestFolder
    private let archive: Archive

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
    }

    /// The file is larger than a single read, so that pieces are joined.
    private static let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private func file(_ name: String, _ bytes: [UInt8] = bytes) throws -> String {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @discardableResult
    private func add(
        _ path: String, pages: Int = 2, likeness: FilePage.Likeness = .same,
        info: DocumentInfo = DocumentInfo(title: "in", created: 0)
    ) throws -> DocumentID {
        let addition = try archive.begin(info)
        for number in 1...pages {
            var new = page("text \(number)", number: number)
            new.original = (
                path,
                FilePage(
                    name: "in.pdf", media: "application/pdf", number: number,
                    area: number == 1 ? nil : [0, 0.25, 1, 0.5], likeness: likeness,
                    addedText: number == 1 ? pageText("added words") : nil)
            )
            try addition.add(new)
        }
        return try addition.finish()
    }

    private func stored() throws -> Int { try archive.images.files().count }

    @Test("A file is stored byte for byte, once for all of its pages and documents", .everyHome)
    func kept() throws {
        let id = try add(file("a"))
        let count = try stored()
        #expect(count == 5)
        let original = try #require(try archive.originals(of: id).first)
        #expect(try archive.originals(of: id).count == 1)
        #expect(original.name == "in.pdf" && original.media == "application/pdf")
        #expect(original.bytes == Self.bytes.count)
        #expect(try archive.image(original.file) == Self.bytes)
        let again = try add(file("b"))
        #expect(try archive.originals(of: again) == [original])
        #expect(try stored() == count)
        try expectSound(archive)
    }

    @Test("The data about a page in its file is read as it was stored", .everyHome)
    func pages() throws {
        let document = try archive.document(add(file("a")))
        let pages = document.pages.compactMap(\.original?.page)
        #expect(pages.map(\.number) == [1, 2])
        #expect(pages.map(\.area) == [nil, [0, 0.25, 1, 0.5]])
        #expect(pages.map(\.addedText?.plainText) == ["added words", nil])
        #expect(pages.allSatisfy { $0.likeness == .same })
        #expect(document.originals.count == 1)
        #expect(try archive.document(archive.add("Scan", "text")).originals == [])
    }

    @Test(
        "The picture that a page was cut from is its file's page if it shows the whole page",
        .everyHome,
        arguments: [true, false])
    func uncut(showsFilePage: Bool) throws {
        let path = try file("a")
        let addition = try archive.begin(DocumentInfo(title: "Cut", created: 5))
        var new = page("inner", image: "inner")
        new.uncut = NewPage.Uncut(
            picture: PagePicture(image: Array("outer".utf8), media: "image/png"), width: 1000,
            height: 900, resolution: 90, turn: .none, text: pageText("inner words"),
            showsFilePage: showsFilePage, addedText: pageText("added"))
        new.original = (
            path,
            FilePage(name: "in.pdf", media: "application/pdf", number: 3, likeness: .redrawn)
        )
        try addition.add(new)
        let id = try addition.finish()
        #expect(try archive.document(id).pages[0].original?.page.likeness == .redrawn)
        try archive.undo(id)
        let whole = try archive.document(id).pages[0].original?.page
        #expect(whole?.likeness == (showsFilePage ? .same : .redrawn) && whole?.number == 3)
        #expect(whole?.addedText?.plainText == (showsFilePage ? "added" : nil))
    }

    @Test("A file is removed with the last document that comes from it, and not before")
    func freed() throws {
        let path = try file("a")
        let (first, second) = (try add(path), try add(file("b")))
        let kept = try archive.originals(of: first)[0]
        try archive.trash(first)
        _ = try archive.emptyTrash()
        _ = try archive.compact()
        #expect(try archive.image(kept.file) == Self.bytes)
        try archive.trash(second)
        _ = try archive.compact()
        #expect(try archive.image(kept.file) == Self.bytes)
        _ = try archive.emptyTrash()
        #expect(try archive.compact().removedFiles == 5)
        #expect(try stored() == 0)
        #expect(throws: ArchiveError.self) { try archive.image(kept.file) }
        try expectSound(archive)
    }

    @Test("A document keeps its file after a page's deletion, a split and a merge", .everyHome)
    func changes() throws {
        let id = try add(file("a"))
        let kept = try archive.originals(of: id)
        let pages = try archive.document(id).review.pages
        let half = try archive.split(id, after: pages[0].id)
        #expect(try archive.originals(of: half) == kept)
        #expect(try archive.originals(of: id) == kept)
        let scan = try archive.add("Scan", "text")
        try archive.merge(scan, with: half)
        #expect(try archive.originals(of: scan) == kept)
        #expect(try archive.document(scan).pages.map { $0.original?.page.number } == [nil, 2])
        try expectSound(archive)
    }

    @Test("A title that a user gave, at the import or later, is recorded as given", .everyHome)
    func title() throws {
        let path = try file("a")
        let plain = try add(path)
        #expect(try !archive.document(plain).isTitleGiven)
        try archive.perform([.setTitle("Other")], on: plain)
        #expect(try archive.document(plain).isTitleGiven)
        let half = try archive.split(plain, after: archive.document(plain).review.pages[0].id)
        #expect(try archive.document(half).isTitleGiven)
        let given = try add(
            path, info: DocumentInfo(title: "Given", created: 0, isTitleGiven: true))
        #expect(try archive.document(given).isTitleGiven)
    }

    @Test("A check names the document of a damaged file, and the file is not returned")
    func damaged() throws {
        let id = try add(file("a"))
        let kept = try archive.originals(of: id)[0]
        let path = archive.imageFolder.path(of: kept.file)
        var bytes = Self.bytes
        bytes[300_000] ^= 1
        try Data(bytes).write(to: URL(filePath: path))
        let problems = try archive.check().problems
        #expect(problems.count == 1)
        #expect(problems.contains { $0.contains(path) && $0.contains("document \(id)") })
        #expect { try archive.path(ofKept: kept.file) } throws: {
            ($0 as? ArchiveError)?.code == .damaged
        }
        unlink(path)
        #expect(try archive.check().problems.count == 1)
    }

    @Test("A backup contains the file, and so does a recovered archive")
    func copies() throws {
        let id = try add(file("a"))
        let kept = try archive.originals(of: id)
        #expect(try archive.backup(to: folder.path + "/backup").images == 5)
        let backup = try Archive(folder: folder.path + "/backup", .readOnly)
        #expect(try backup.originals(of: id) == kept)
        #expect(try backup.image(kept[0].file) == Self.bytes)

        let target = try Archive(folder: folder.path + "/new", .create)
        let report = try target.recover(from: folder.archive)
        let saved = try #require(report.documents.first)
        #expect(saved.losses == [])
        #expect(try target.originals(of: saved.id) == kept)
        #expect(try target.image(kept[0].file) == Self.bytes)
        #expect(
            try target.document(saved.id).pages.map { $0.original?.page }
                == archive.document(id).pages.map { $0.original?.page })

        unlink(archive.imageFolder.path(of: kept[0].file))
        let other = try Archive(folder: folder.path + "/other", .create)
        let losses = try other.recover(from: folder.archive).documents.first?.losses ?? []
        #expect(losses.contains { $0.contains("page 1 was imported from is lost") })
    }

    @Test("Adding a missing file adds nothing", .everyHome)
    func missing() throws {
        #expect(throws: ArchiveError.self) { try add(folder.path + "/none") }
        #expect(try archive.documents().isEmpty)
        try expectSound(archive)
    }
}
