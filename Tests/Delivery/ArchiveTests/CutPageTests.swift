import Documents
import Testing

@testable import Archive

/// Tests pages that were cut out of a captured picture, which the archive keeps with them.
@Suite struct CutPageTests {
    /// A document with a page that was cut out of a picture lying on its side, and a page that
    /// shows all of its picture.
    private func add(_ archive: Archive) throws -> DocumentID {
        let addition = try archive.begin(DocumentInfo(title: "Cut", created: 5))
        var cut = page("inner words", image: "inner")
        cut.uncut = NewPage.Uncut(
            picture: PagePicture(
                image: Array("outer".utf8), media: "image/png", thumbnail: Array("tiny".utf8)),
            width: 1000, height: 900, resolution: 90, turn: .clockwise90,
            text: pageText("inner words"))
        try addition.add(cut)
        try addition.add(page("whole", image: "whole", number: 2))
        return try addition.finish()
    }

    private func image(_ archive: Archive, _ id: DocumentID, page: Int = 0) throws -> String {
        String(
            decoding: try archive.image(try archive.document(id).pages[page].image), as: UTF8.self)
    }

    @Test(
        "Cropping is the document's first change, which can be undone and redone like any other",
        .everyHome)
    func undo() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(archive)
        let cut = try archive.document(id)
        #expect(cut.undoable == 1 && cut.pages.map(\.isCut) == [true, false])
        #expect(try image(archive, id) == "inner")
        try archive.undo(id)
        let whole = try archive.document(id)
        let first = whole.pages[0]
        #expect(try image(archive, id) == "outer")
        #expect(first.media == "image/png" && !first.isCut && first.frame.turn == .clockwise90)
        #expect((first.page.width, first.page.height) == (900, 1000))
        #expect(first.page.resolution == 90 && first.page.text?.words.count == 2)
        #expect(try archive.search("inner").hits.map(\.document) == [id])
        try archive.redo(id)
        #expect(try image(archive, id) == "inner")
        #expect(throws: ArchiveError.self) {
            try archive.undo(id)
            try archive.undo(id)
        }
    }

    @Test(
        "A page is shown whole later, with its turn and its corrected text",
        .everyHome)
    func uncut() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(archive)
        let page = try archive.document(id).review.pages[0]
        try archive.perform(
            [
                .rotate(pages: [page.id], by: .clockwise90), .select(pages: [page.id]),
                .addEntry(page: page.id, fields: [Field(name: "number", value: "1")]),
            ], on: id)
        try archive.perform([try archive.correction(of: page, to: "better words")], on: id)
        let now = try archive.document(id).review
        try archive.perform(try archive.uncutting(page.id, of: now), on: id)
        let whole = try archive.document(id)
        #expect(try image(archive, id) == "outer")
        #expect(whole.pages[0].frame.turn == .half)
        #expect(whole.pages[0].page.text?.plainText == "better words")
        #expect(whole.review.selectedPages == [whole.pages[0].id])
        #expect(whole.review.entries.map(\.page) == [whole.pages[0].id])
        #expect(throws: ArchiveError.self) {
            try archive.uncutting(whole.pages[0].id, of: whole.review)
        }
        #expect(throws: ArchiveError.self) {
            try archive.uncutting(whole.pages[1].id, of: whole.review)
        }
        try expectSound(archive)
    }

    @Test(
        "The picture stays if its page moves and the first document is permanently deleted",
        .everyHome)
    func split() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(archive)
        let pages = try archive.document(id).review.pages
        try archive.perform([.move(page: pages[0].id, to: 1)], on: id)
        let other = try archive.split(id, after: pages[1].id)
        try archive.trash(id)
        #expect(try archive.emptyTrash() == [id])
        _ = try archive.compact()
        let review = try archive.document(other).review
        try archive.perform(try archive.uncutting(review.pages[0].id, of: review), on: other)
        #expect(try image(archive, other) == "outer")
        try expectSound(archive)
    }

    @Test(
        "A delivered page counts as present if any document shows it, cropped or whole", .everyHome)
    func standing() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(archive)
        let delivered = try archive.deliveredImages(of: id)
        #expect(delivered.count == 2)
        #expect(try archive.standing(of: delivered) == .listed)
        try archive.undo(id)
        #expect(try archive.standing(of: delivered) == .listed)
        let pages = try archive.document(id).review.pages
        let other = try archive.split(id, after: pages[0].id)
        #expect(try archive.standing(of: delivered) == .listed)
        try archive.trash(other)
        #expect(try archive.standing(of: delivered) == .trashed)
        _ = try archive.emptyTrash()
        #expect(try archive.standing(of: delivered) == .changed)
        #expect(try archive.standing(of: [ImageHash(of: [1])]) == .gone)
    }

    @Test("Cropped pages are not delivered twice, but again if one is gone", .everyHome)
    func again() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        func deliver() throws -> DocumentID {
            let addition = try archive.begin(DocumentInfo(title: "Cut", created: 5, job: "j"))
            var cut = page("inner words", image: "inner")
            cut.uncut = NewPage.Uncut(
                picture: PagePicture(
                    image: Array("outer".utf8), media: "image/png", thumbnail: Array("t".utf8)),
                width: 1000, height: 900, resolution: 90, turn: .none, text: nil)
            try addition.add(cut)
            return try addition.finish()
        }
        let id = try deliver()
        #expect(try deliver() == id)
        try archive.trash(id)
        #expect(try deliver() == id)
        #expect(try archive.summary(id).trashed == nil)
        try archive.trash(id)
        _ = try archive.emptyTrash()
        #expect(try deliver() != id)
    }

    @Test(
        "Other pages of a job are no document delivered before, and pages of other jobs stay",
        .everyHome)
    func otherPages() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        func deliver(_ image: String, job: String? = "j") throws -> DocumentID {
            let addition = try archive.begin(DocumentInfo(title: "T", created: 5, job: job))
            try addition.add(page("words", image: image))
            return try addition.finish()
        }
        let first = try deliver("a")
        let second = try deliver("b")
        #expect(second != first)
        #expect(try archive.summary(first).trashed != nil)
        #expect(try archive.summary(second).trashed == nil)
        let stranger = try deliver("c", job: nil)
        try archive.merge(second, with: stranger)
        let third = try deliver("d")
        #expect(third != second)
        #expect(try archive.summary(second).trashed == nil)
    }

    @Test("The picture is recovered from a damaged archive with its page")
    func recovered() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        _ = try add(archive)
        let new = try Archive(folder: folder.path + "/new", .create, patience: 10_000)
        let report = try new.recover(from: folder.archive)
        #expect(report.documents.flatMap(\.losses) == [])
        let id = try #require(report.documents.first).id
        #expect(try image(new, id) == "inner")
        // The picture's notes are restored after it is added.
        try new.undo(id)
        try new.undo(id)
        #expect(try image(new, id) == "outer")
    }
}
