import Documents
import FoundationEssentials
import Testing

@testable import Archive

/// Tests pages in other looks, and suggestions from similar documents.
@Suite(.everyHome) struct LookTests {
    private let folder: TestFolder
    private let archive: Archive
    private let id: DocumentID

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
        id = try archive.add("Letter", "one", "two")
    }

    /// Shows the first page in a look, and returns the number of pictures made for it.
    private func show(_ look: PageLook?) throws -> Int {
        var made = 0
        let review = try archive.document(id).review
        let actions = try archive.showing(review.pages[0].id, as: look, of: review) {
            made += 1
            return PagePicture(
                image: Array("\($0.rawValue) of ".utf8) + $1, media: "image/png",
                thumbnail: Array("small \($0.rawValue)".utf8))
        }
        try archive.perform(actions, on: id)
        return made
    }

    private func picture() throws -> String {
        let page = try archive.document(id).pages[0]
        return String(decoding: try archive.image(page.image), as: UTF8.self)
    }

    @Test("A page gets another look with its text, crop, turn and correction, and loses it again")
    func looks() throws {
        let original = try archive.document(id)
        let first = original.review.pages[0]
        try archive.perform(
            [
                .rotate(pages: [first.id], by: .clockwise90),
                .crop(page: first.id, to: Box(x: 500, y: 0, width: 300, height: 300)),
            ], on: id)
        let framed = try archive.document(id)
        #expect(try show(.clean) == 1)
        let clean = try archive.document(id)
        #expect(try picture() == "clean of image of one")
        #expect(clean.pages[0].look == .clean && clean.pages[0].media == "image/png")
        #expect(clean.pages[0].frame == framed.pages[0].frame)
        #expect(clean.pages[0].page.text == framed.pages[0].page.text)
        #expect(try archive.search("one").hits.map(\.document) == [id])
        // The page changes from one look to another, and to a look that was made before.
        #expect(try show(.bilevel) == 1 && picture() == "bilevel of image of one")
        #expect(try show(.clean) == 0 && picture() == "clean of image of one")
        #expect(try show(.clean) == 0)
        #expect(try archive.document(id).undoable == clean.undoable + 2)
        #expect(try show(nil) == 0 && picture() == "image of one")
        #expect(try archive.document(id).review == framed.review)
        try archive.undo(id)
        #expect(try picture() == "clean of image of one")
    }

    @Test("The original outlives its document, and is removed with its last look")
    func originals() throws {
        #expect(try show(.bilevel) == 1)
        let other = try archive.split(id, after: archive.document(id).review.pages[0].id)
        let moved = try archive.add("Third", "three")
        try archive.merge(moved, with: id)
        try archive.delete(id)
        try archive.trash(other)
        _ = try archive.emptyTrash()
        _ = try archive.compact()
        let review = try archive.document(moved).review
        let last = try #require(review.pages.last)
        let actions = try archive.showing(last.id, as: nil, of: review) { _, _ in
            PagePicture(image: [], media: "image/png")
        }
        try archive.perform(actions, on: moved)
        let page = try #require(try archive.document(moved).pages.last)
        #expect(try archive.image(page.image) == Array("image of one".utf8))
        try archive.trash(moved)
        #expect(try archive.emptyTrash() == [moved])
        #expect(try archive.check().problems == [])
    }

    @Test("If the other look can't be made, nothing changes")
    func failure() throws {
        struct Failure: Error {}
        let review = try archive.document(id).review
        #expect(throws: Failure.self) {
            try archive.showing(review.pages[0].id, as: .clean, of: review) { _, _ in
                throw Failure()
            }
        }
        #expect(try archive.document(id).review == review)
    }

    @Test("A document gets the type and tags of documents with the same words, not of others")
    func suggestions() throws {
        let bill = "Stadtwerke electricity invoice consumption kilowatt meter reading"
        var bills: [DocumentID] = []
        for number in 1...3 {
            let made = try archive.add("Bill \(number)", bill + " number\(number)")
            try archive.perform([.setType(.invoice), .addTag("power")], on: made)
            bills.append(made)
        }
        try archive.perform([.addTag("once")], on: bills[0])
        for number in 1...3 {
            let made = try archive.add("Recipe \(number)", "Flour butter sugar cinnamon apples")
            try archive.perform([.setType(.report), .addTag("kitchen")], on: made)
        }
        let new = try archive.add("New", bill + " december")
        #expect(
            try archive.suggestions(for: new)
                == DocumentSuggestions(type: .invoice, tags: ["power"])
        )
        // A document's own tags are not suggested, nor those of documents in the trash.
        try archive.perform([.setType(.contract), .addTag("power")], on: new)
        #expect(try archive.suggestions(for: new) == DocumentSuggestions())
        try archive.perform([.setType(.other), .removeTag("power")], on: new)
        for id in bills.dropFirst() { try archive.trash(id) }
        #expect(try archive.suggestions(for: new) == DocumentSuggestions())
        // Operators of the index's query language are ordinary words here.
        let odd = try archive.add("Odd", "NEAR AND NOT \"OR\" body: * ^ near")
        #expect(try archive.suggestions(for: odd) == DocumentSuggestions())
        #expect(try archive.suggestions(for: id) == DocumentSuggestions())
    }
}
