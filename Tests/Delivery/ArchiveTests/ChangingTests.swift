import Documents
import FoundationEssentials
import Testing

@testable import Archive

@Suite(.everyHome) struct ChangingTests {
    private let folder: TestFolder
    private let archive: Archive
    private let id: DocumentID

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
        id = try archive.add("Letter", "one", "two", "three", "four")
    }

    private func pages(_ id: DocumentID) throws -> [Int64] {
        try archive.document(id).review.pages.map(\.id.rawValue)
    }

    @Test("A document is read as it was added")
    func roundTrip() throws {
        let document = try archive.document(id)
        #expect(document.summary.title == "Letter" && document.summary.language == "en")
        #expect(document.pages.map(\.page.text) == ["one", "two", "three", "four"].map(pageText))
        #expect(document.pages.map(\.page.number) == [1, 2, 3, 4])
        #expect(
            document.pages[0].page.provenance == Provenance(device: "test:device", label: "label"))
        #expect(try archive.image(document.pages[1].image) == Array("image of two".utf8))
        #expect(document.pages[0].media == "image/jpeg")
    }

    @Test("Changes survive a restart, and so do undo and redo")
    func restart() throws {
        let first = try archive.document(id).review
        try archive.perform([.setTitle("Changed"), .setType(.report)], on: id)
        try archive.perform([.move(page: first.pages[3].id, to: 0)], on: id)
        try archive.undo(id)
        let again = try folder.open(.readWrite)
        let document = try again.document(id)
        #expect(document.review.title == "Changed" && document.summary.title == "Changed")
        #expect(document.undoable == 1 && document.redoable == 1)
        try again.redo(id)
        #expect(try pages(id) == [4, 1, 2, 3])
        try again.undo(id)
        try again.undo(id)
        #expect(try archive.document(id).review == first)
        #expect { try again.undo(id) } throws: { ($0 as? ArchiveError)?.code == .refused }
    }

    @Test("Every kind of change to an outdated version is refused")
    func stale() throws {
        let other = try archive.add("Other", "page")
        let old = try archive.document(id).version
        #expect(try archive.version(of: id) == old)
        try archive.perform([.setTitle("By someone else")], on: id)
        let page = try archive.document(id).review.pages[0].id
        let changes: [() throws -> Void] = [
            { try archive.perform([.setTitle("Mine")], on: id, seen: [old]) },
            { try archive.change(id, [.setTitle("Mine")], splitAfter: page, seen: [old]) },
            { try archive.change(id, [], mergeWith: other, seen: [old]) },
            { try archive.undo(id, seen: [old]) }, { try archive.redo(id, seen: [old]) },
            { try archive.trash(id, seen: [old]) }, { try archive.restore(id, seen: [old]) },
            { try archive.delete(id, seen: [old]) }, { try archive.undo(id, seen: []) },
        ]
        for (index, change) in changes.enumerated() {
            #expect {
                try change()
            } throws: { error in
                (error as? ArchiveError)?.code == .changedMeanwhile
            }
            #expect(try archive.document(id).review.title == "By someone else", "\(index)")
        }
        #expect(try archive.documentList(DocumentFilter()).total == 2)
        let new = try archive.version(of: id)
        try archive.perform([.setTitle("Mine")], on: id, seen: [old, new])
        #expect(try archive.document(id).review.title == "Mine")
    }

    @Test("Changes, undo and redo, the trash and a restart of the archive distinguish versions")
    func versions() throws {
        var seen: Set<DocumentVersion> = []
        func look(_ count: Int) throws {
            seen.insert(try archive.version(of: id))
            #expect(seen.count == count)
            let again = try folder.open(.readOnly)
            #expect(try again.document(id).version == archive.version(of: id))
        }
        try look(1)
        try archive.perform([.addTag("tax")], on: id)
        try look(2)
        try archive.undo(id)
        try look(3)
        try archive.redo(id)
        try look(4)
        try archive.trash(id)
        try look(5)
    }

    @Test("A refused change changes nothing")
    func refused() throws {
        #expect {
            try archive.perform([.setTitle("X"), .removeTag("none")], on: id)
        } throws: { ($0 as? ArchiveError)?.code == .refused }
        #expect(try archive.document(id).review.title == "Letter")
        #expect(throws: ArchiveError.self) { try archive.document(DocumentID(rawValue: 77)) }
    }

    @Test("A split makes two documents; undone, the new one is in the trash; redone, it is back")
    func split() throws {
        let page = try archive.document(id).review.pages[1].id
        let new = try archive.split(id, after: page)
        #expect(try pages(id) == [1, 2] && pages(new) == [3, 4])
        #expect(try archive.search("three").hits.map(\.document) == [new])
        try archive.perform([.setTitle("New")], on: new)
        try archive.undo(id)
        #expect(try pages(id) == [1, 2, 3, 4])
        #expect(try archive.summary(new).trashed != nil)
        #expect(try archive.search("three").hits.map(\.document) == [id])
        try archive.redo(id)
        #expect(try archive.summary(new).title == "New" && archive.summary(new).trashed == nil)
        try expectSound(archive)
    }

    @Test(
        "A merge adds the other document; undone, it is restored even after emptying the trash"
    )
    func merge() throws {
        let other = try archive.add("Annex", "five")
        try archive.merge(id, with: other)
        #expect(try pages(id) == [1, 2, 3, 4, 5])
        #expect(try archive.documents().map(\.id) == [id])
        #expect(try archive.emptyTrash() == [other])
        #expect(try archive.found("five") == ["Letter"])
        try archive.undo(id)
        #expect(try archive.document(other).review.title == "Annex")
        #expect(try archive.search("five").hits.map(\.document) == [other])
        try archive.redo(id)
        #expect(try archive.documents().map(\.id) == [id])
        #expect(throws: ArchiveError.self) { try archive.merge(id, with: id) }
        try expectSound(archive)
    }

    @Test("A split can be redone after the trash was emptied")
    func splitAfterEmptying() throws {
        let new = try archive.split(id, after: try archive.document(id).review.pages[0].id)
        try archive.undo(id)
        #expect(try archive.emptyTrash() == [new])
        try archive.redo(id)
        #expect(try pages(id) == [1] && pages(new) == [2, 3, 4])
        try expectSound(archive)
    }

    @Test("Lists are filtered by type, tag, date and trash, the latest document first")
    func lists() throws {
        let later = try archive.add("Later", "x", created: 10)
        try archive.perform([.setType(.invoice), .addTag("a"), .addTag("b")], on: later)
        let list = { try archive.documents($0).map(\.id) }
        #expect(try list(DocumentFilter()) == [later, id])
        #expect(try list(DocumentFilter(limit: 1)) == [later])
        #expect(try list(DocumentFilter(type: .invoice)) == [later])
        #expect(try list(DocumentFilter(tags: ["a", "b"])) == [later])
        #expect(try list(DocumentFilter(tags: ["a", "c"])) == [])
        #expect(try list(DocumentFilter(since: 10)) == [later])
        #expect(try list(DocumentFilter(before: 10)) == [id])
        try archive.trash(later)
        #expect(try list(DocumentFilter(isTrash: true)) == [later])
        #expect(try archive.summary(later).tags == ["a", "b"])
    }

    @Test(
        "After any operations, every table agrees with the history",
        arguments: 0..<6 as Range<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let id = try #require(try archive.documents().randomElement(using: &random)?.id)
            let page = try #require(
                try archive.document(id).review.pages.randomElement(using: &random)?.id)
            do {
                switch Int.random(in: 0..<9, using: &random) {
                case 0: try archive.perform([.rotate(pages: [page], by: .half)], on: id)
                case 1: try archive.perform([.select(pages: [page]), .deleteSelected], on: id)
                case 2: try archive.perform([.move(page: page, to: 0)], on: id)
                case 3, 4: try archive.undo(id)
                case 5: try archive.redo(id)
                case 6: _ = try archive.split(id, after: page)
                case 7:
                    if let other = try archive.documents().randomElement(using: &random)?.id {
                        try archive.merge(id, with: other)
                    }
                default: try archive.perform([.setNote("note"), .addTag("tag")], on: id)
                }
            } catch {
                #expect(error.code == .refused, "\(error)")
            }
        }
        try expectSound(archive)
        // Every page of a listed document is found exactly once.
        for summary in try archive.documents() {
            for page in try archive.document(summary.id).pages {
                let word = try #require(page.page.text?.plainText)
                #expect(
                    try archive.search(word).hits.contains {
                        $0.document == summary.id && $0.pageID == page.id
                    })
            }
        }
    }

    @Test("An abandoned addition leaves no document")
    func cancelled() throws {
        let addition = try archive.begin(DocumentInfo(title: "Gone", created: 0))
        try addition.add(page("gone"))
        addition.cancel()
        #expect(throws: ArchiveError.self) { try addition.finish() }
        #expect(throws: ArchiveError.self) { try addition.add(page("late")) }
        #expect(try archive.documents().count == 1)
        let empty = try archive.begin(DocumentInfo(title: "Empty", created: 0))
        #expect(throws: ArchiveError.self) { try empty.finish() }
    }

    @Test(
        "A page's text is stored exactly, and damaged bytes are read as no text, without a crash",
        arguments: 0..<30 as Range<UInt64>)
    func textCoding(seed: UInt64) throws {
        var text = pageText("é 漢 one\ntwo three\n\nfour")
        text.blocks[0].paragraphs[0].lines[0].baseline = Baseline(x1: -1, y1: 2, x2: .max, y2: .min)
        let bytes = PageTextCoding.encode(text)
        #expect(PageTextCoding.decode(bytes) == text)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var broken = bytes
            broken[Int.random(in: 0..<broken.count, using: &random)] = .random(
                in: 0...255, using: &random)
            _ = PageTextCoding.decode(broken)
            let cut = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            #expect(PageTextCoding.decode(cut) == nil)
        }
    }
}
