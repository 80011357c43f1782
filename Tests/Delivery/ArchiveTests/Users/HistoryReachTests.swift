import Documents
import FoundationEssentials
import Testing

@testable import Archive

/// Tests that nobody gets to documents of others by a history, a job or a picture.
@Suite(.everyHome) struct HistoryReachTests {
    private let office: SharedOffice

    init() throws { office = try SharedOffice() }

    /// The step is refused, with words that name no other document, and changes nothing.
    private func expectClosed(
        _ id: DocumentID, _ location: SourceLocation = #_sourceLocation,
        _ step: (DocumentID) throws -> Review
    ) throws {
        let before = try office.all.documents(DocumentFilter(order: .oldest))
        let trash = try office.all.documents(DocumentFilter(isTrash: true))
        let entries = try office.all.history()
        let error = #expect(throws: ArchiveError.self, sourceLocation: location) {
            _ = try step(id)
        }
        #expect(error?.code == .refused, sourceLocation: location)
        #expect(
            error?.message.contains("no longer yours") == true
                && error?.message.contains(where: \.isNumber) == false, sourceLocation: location)
        #expect(
            try office.all.documents(DocumentFilter(order: .oldest)) == before,
            sourceLocation: location)
        #expect(
            try office.all.documents(DocumentFilter(isTrash: true)) == trash,
            sourceLocation: location)
        #expect(try office.all.history() == entries, sourceLocation: location)
    }

    private func picture(_ id: DocumentID) throws -> ImageHash {
        try #require(try office.all.document(id).pages.first).image
    }

    @Test("A merge that its owner undid is made again by nobody else")
    func merged() throws {
        let secret = try picture(office.bobs)
        try office.bob.merge(office.everyones, with: office.bobs)
        #expect(try office.ada.media(of: secret) != nil)
        // Nobody else undoes it either: that would take a document of Bob out of the trash.
        try expectClosed(office.everyones) { try office.ada.undo($0) }
        try office.bob.undo(office.everyones)
        try expectClosed(office.everyones) { try office.ada.redo($0) }
        #expect(try office.ada.document(office.everyones).redoable == 0)
        #expect(try office.bob.document(office.everyones).redoable == 1)
        #expect(try office.ada.media(of: secret) == nil)
        #expect(try office.bob.summary(office.bobs).trashed == nil)
        try office.bob.redo(office.everyones)
        #expect(try office.ada.document(office.everyones).pages.count == 2)
        #expect(try office.bob.summary(office.bobs).trashed != nil)
    }

    @Test("A part that was given away stays with its owner, also if it was split again")
    func split() throws {
        let long = try SharedOffice.add("Long", "one", "two", "three", to: office.all, by: "ada")
        let pages = try office.ada.document(long).pages.map(\.id)
        let part = try office.ada.split(long, after: pages[0])
        let end = try office.ada.split(part, after: pages[1])
        try office.all.perform([], owner: "bob", on: end)
        try expectClosed(part) { try office.ada.undo($0) }
        // The pages of the last part would be in the whole document again.
        try expectClosed(long) { try office.ada.undo($0) }
        #expect(try office.ada.document(long).undoable == 0)
        #expect(try office.ada.deliveredImages(of: long).count == 2)
        #expect(throws: ArchiveError.self) { try office.ada.capturedImage(of: pages[2]) }
        try office.all.perform([], owner: "ada", on: end)
        try office.ada.undo(long)
        #expect(try office.ada.document(long).pages.count == 3)
    }

    @Test("A page that replaced another comes back only to those who see where it is now")
    func replaced() throws {
        let page = try office.bob.document(office.bobs).review.pages[0]
        let place = try office.all.document(office.everyones).pages[0].id
        try office.bob.perform([.replace(page: place, by: page)], on: office.everyones)
        try office.bob.undo(office.everyones)
        try expectClosed(office.everyones) { try office.ada.redo($0) }
        try office.bob.trash(office.bobs)
        try office.bob.delete(office.bobs)
        try expectClosed(office.everyones) { try office.ada.redo($0) }
        try office.all.redo(office.everyones)
        #expect(try office.ada.document(office.everyones).pages.map(\.id) == [page.id])
        try office.ada.undo(office.everyones)
        #expect(try office.ada.document(office.everyones).pages.map(\.id) == [place])
    }

    @Test("A document that was deleted for good comes back to its owner, and only by them")
    func deleted() throws {
        try office.bob.merge(office.everyones, with: office.bobs)
        try office.bob.delete(office.bobs)
        try expectClosed(office.everyones) { try office.ada.undo($0) }
        try office.bob.undo(office.everyones)
        #expect(try office.bob.summary(office.bobs).owner == "bob")
        #expect(throws: ArchiveError.self) { try office.ada.summary(office.bobs) }
        try office.bob.trash(office.bobs)
        _ = try office.bob.emptyTrash()
        try expectClosed(office.everyones) { try office.ada.redo($0) }
        #expect(try office.ada.document(office.everyones).pages.count == 1)
        try office.all.redo(office.everyones)
        try office.all.undo(office.everyones)
        #expect(try office.all.summary(office.bobs).owner == "bob")
    }

    @Test("Changes bring no page or document by its bare number")
    func named() throws {
        let review = try office.all.document(office.bobs).review
        let place = try office.ada.document(office.adas).pages[0].id
        let actions: [ReviewAction] = [
            .replace(page: place, by: review.pages[0]), .merge(review, from: office.bobs.rawValue),
            .split(after: place, into: office.bobs.rawValue),
        ]
        for action in actions {
            #expect(throws: ArchiveError.self, "\(action)") {
                try office.ada.perform([action], on: office.adas)
            }
            #expect(throws: ArchiveError.self, "\(action)") {
                try office.ada.change(office.adas, [action])
            }
        }
        let uses: [() throws -> Void] = [
            { _ = try office.ada.capturedText(review.pages[0]) },
            { _ = try office.ada.capturedImage(of: review.pages[0].id) },
            { _ = try office.ada.correction(of: review.pages[0], to: "words") },
            { _ = try office.ada.uncutting(review.pages[0].id, of: review) },
            {
                _ = try office.ada.showing(review.pages[0].id, as: .clean, of: review) { _, bytes in
                    PagePicture(image: bytes, media: "image/png")
                }
            },
        ]
        for use in uses {
            let error = #expect(throws: ArchiveError.self) { try use() }
            #expect(error?.code == .noSuchDocument)
        }
        #expect(try office.ada.document(office.adas).pages.map(\.id) == [place])
    }

    @Test("A captured picture is with those who see all of its parts")
    func parts() throws {
        let addition = try office.all.begin(
            DocumentInfo(title: "Cards", created: 0, user: SharedOffice.user("ada")))
        for number in 1...2 {
            var card = page("card \(number)", image: "card \(number)", number: number)
            card.uncut = NewPage.Uncut(
                picture: PagePicture(image: Array("table".utf8), media: "image/png"),
                width: 1000, height: 900, resolution: 90, turn: .none, text: pageText("both"))
            try addition.add(card)
        }
        let cards = try addition.finish()
        let table = ImageHash(of: Array("table".utf8))
        let review = try office.ada.document(cards).review
        let first = review.pages[0]
        let whole = try office.ada.uncutting(first.id, of: review)
        #expect(try office.ada.media(of: table) == "image/png")
        let part = try office.ada.split(cards, after: first.id)
        try office.all.perform([], owner: "bob", on: part)
        #expect(try office.ada.media(of: table) == nil)
        #expect(throws: ArchiveError.self) { try office.ada.uncutting(first.id, of: review) }
        #expect(throws: ArchiveError.self) { try office.ada.perform(whole, on: cards) }
        #expect(try office.ada.capturedImage(of: first.id) == Array("card 1".utf8))
        try office.all.perform([], owner: "ada", on: part)
        try office.ada.perform(whole, on: cards)
        #expect(try office.ada.media(of: table) == "image/png")
    }

    @Test("An imported file is with those who see all of its pages")
    func originals() throws {
        func add(_ title: String, _ pages: Int, by name: String?) throws -> DocumentID {
            let path = office.folder.path + "/\(title).pdf"
            try Data(title.utf8).write(to: URL(filePath: path))
            let user = name.map(SharedOffice.user)
            let addition = try office.all.begin(
                DocumentInfo(title: title, created: 0, user: user))
            for number in 1...pages {
                var new = page("\(title) \(number)", number: number)
                new.original = (
                    path,
                    FilePage(
                        name: "\(title).pdf", media: "application/pdf", number: number,
                        likeness: .same)
                )
                try addition.add(new)
            }
            return try addition.finish()
        }
        func names(_ archive: Archive, _ id: DocumentID) throws -> [String] {
            let names = try archive.originals(of: id).map(\.name)
            #expect(try archive.document(id).originals.map(\.name) == names)
            return names
        }
        let note = try add("note", 1, by: "bob")
        let file = try #require(try office.bob.originals(of: note).first).file
        try office.bob.merge(office.everyones, with: note)
        #expect(try names(office.ada, office.everyones) == ["note.pdf"])
        #expect(try office.ada.media(of: file) == "application/pdf")
        try office.bob.undo(office.everyones)
        #expect(try names(office.ada, office.everyones) == [])
        #expect(try names(office.bob, office.everyones) == ["note.pdf"])
        #expect(try office.ada.media(of: file) == nil)
        #expect(try office.bob.media(of: file) == "application/pdf")

        let book = try add("book", 3, by: "ada")
        let first = try office.ada.document(book).pages[0].id
        let part = try office.ada.split(book, after: first)
        #expect(try names(office.ada, book) == ["book.pdf"])
        try office.all.perform([], owner: "bob", on: part)
        #expect(try names(office.ada, book) == [])
        #expect(try names(office.bob, part) == [])
        #expect(try names(office.all, part) == ["book.pdf"])
        // A page that its owner removed is theirs still.
        let own = try add("own", 2, by: "ada")
        let last = try office.ada.document(own).pages[1].id
        try office.ada.perform([.select(pages: [last]), .deleteSelected], on: own)
        #expect(try names(office.ada, own) == ["own.pdf"])
    }

    @Test("A repeated delivery leaves alone what was given to someone else")
    func delivered() throws {
        func deliver(_ texts: String...) throws -> DocumentID {
            let addition = try office.bob.begin(
                DocumentInfo(
                    title: "Job", created: 0, job: "job-1", user: SharedOffice.user("bob")))
            for (index, text) in texts.enumerated() {
                try addition.add(page(text, number: index + 1))
            }
            return try addition.finish()
        }
        let first = try deliver("one")
        #expect(try deliver("one") == first)
        try office.all.perform([], owner: "ada", on: first)
        #expect(try office.bob.documents(of: "job-1") == [])
        let receipt = KeptReceipt(sink: "s", place: "p", made: 1)
        #expect(try !office.bob.keep([receipt], of: "job-1"))
        let longer = try deliver("one", "two")
        #expect(try office.ada.summary(first).trashed == nil)
        try office.ada.trash(first)
        let again = try deliver("one")
        #expect(![first, longer].contains(again))
        #expect(try office.ada.summary(first).trashed != nil)
        #expect(try office.bob.summary(longer).trashed != nil)
    }

    @Test("Pictures and duplicates of others are as if they were not there")
    func pictures() throws {
        let secret = try picture(office.bobs)
        #expect(try office.ada.standing(of: [secret]) == .gone)
        #expect(try office.bob.standing(of: [secret]) == .listed)
        try SharedOffice.add("Bobs secret", "other", to: office.all, by: "ada")
        #expect(throws: ArchiveError.self) { try office.ada.twin(of: office.bobs) }
    }

    @Test("Work on the whole archive is for those who see all of it")
    func whole() throws {
        let target = office.folder.path + "/target"
        let uses: [(Archive) throws -> Void] = [
            { _ = try $0.check() }, { _ = try $0.compact() },
            { _ = try $0.backup(to: target) }, { _ = try $0.recover(from: target) },
            { _ = try $0.copy(into: office.all) }, { _ = try office.all.copy(into: $0) },
        ]
        for use in uses {
            let error = #expect(throws: ArchiveError.self) { try use(office.ada) }
            #expect(error?.message == Archive.onlyForAll.message)
        }
    }

    @Test("Changes are told to the owners of the documents, and to nobody else")
    func told() throws {
        var told: ToldChanges?
        #expect(try office.all.ownersOfChanges(since: &told) == [])
        #expect(try office.all.ownersOfChanges(since: &told) == [])
        try office.bob.perform([.setTitle("Other")], on: office.bobs)
        #expect(try office.all.ownersOfChanges(since: &told) == ["bob"])
        try office.ada.trash(office.adas)
        try office.ada.delete(office.adas)
        #expect(try office.all.ownersOfChanges(since: &told) == ["ada"])
        try office.bob.perform([.setTitle("Food")], on: office.everyones)
        #expect(try office.all.ownersOfChanges(since: &told) == [nil])
        // Who had it before does not see it anymore, and has to know.
        try office.all.perform([], owner: "ada", on: office.bobs)
        #expect(try office.all.ownersOfChanges(since: &told) == [nil])
    }
}
