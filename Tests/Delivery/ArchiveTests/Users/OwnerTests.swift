import Documents
import Synchronization
import Testing

@testable import Archive

/// Two people with documents of their own, one document of everyone, and their archive.
struct SharedOffice {
    let folder: TestFolder
    /// The archive as someone sees it who sees all documents.
    let all: Archive
    /// The archive as the two see it, who see their own documents.
    let ada: Archive
    let bob: Archive
    let adas: DocumentID
    let bobs: DocumentID
    let everyones: DocumentID

    init() throws {
        folder = try TestFolder()
        all = try folder.open().used(by: ArchiveUser(name: "root", station: "desk"))
        ada = all.used(by: Self.user("ada"))
        bob = all.used(by: Self.user("bob"))
        adas = try Self.add("Adas lease", "lease pictures shared", to: all, by: "ada")
        bobs = try Self.add("Bobs secret", "secret pictures shared", to: all, by: "bob")
        everyones = try Self.add("Menu", "menu pictures shared", to: all, by: nil)
    }

    static func user(_ name: String) -> ArchiveUser {
        ArchiveUser(name: name, station: "hall", sees: .own)
    }

    @discardableResult
    static func add(
        _ title: String, _ texts: String..., to archive: Archive, by name: String?
    ) throws -> DocumentID {
        let user = name.map { ArchiveUser(name: $0, station: "hall") }
        let addition = try archive.used(by: user ?? archive.user).begin(
            DocumentInfo(title: title, created: 0, user: user))
        for (index, text) in texts.enumerated() {
            try addition.add(page(text, image: "\(title) \(index)", number: index + 1))
        }
        return try addition.finish()
    }
}

/// Tests owners of documents, and users who see only their own.
@Suite(.everyHome) struct OwnerTests {
    private let office: SharedOffice

    init() throws { office = try SharedOffice() }

    @Test("A document belongs to who ordered it, or to everyone")
    func owners() throws {
        let owners = try office.all.documents(DocumentFilter(order: .title)).map(\.owner)
        #expect(owners == ["ada", "bob", nil])
    }

    @Test("Lists, searches, totals, tags and fields have no document of others")
    func lists() throws {
        for (id, name) in [(office.adas, "mine"), (office.bobs, "his"), (office.everyones, "ours")]
        {
            try office.all.perform(
                [.addTag(name), .setField(name: name, value: "1", source: nil)], on: id)
        }
        let (documents, total) = try office.ada.documentList(DocumentFilter(order: .title))
        #expect(documents.map(\.title) == ["Adas lease", "Menu"] && total == 2)
        for query in ["pictures", "pict*", "type:other", "pictures type:other", "since:1970"] {
            let result = try office.ada.search(query)
            #expect(Set(result.hits.map(\.title)) == ["Adas lease", "Menu"], "\(query)")
            #expect(result.total == 2 && !result.isTotalOpen, "\(query)")
            #expect(try office.all.search(query).total == 3, "\(query)")
        }
        #expect(try office.ada.found("secret") == [])
        #expect(try office.ada.search("pictures", limit: 1, offset: 1).hits.count == 1)
        #expect(Set(try office.ada.tags().map(\.name)) == ["mine", "ours"])
        #expect(Set(try office.ada.fields().map(\.name)) == ["mine", "ours"])
        #expect(try office.ada.documentList(DocumentFilter(tags: ["his"])).total == 0)
        #expect(try office.ada.search("tag:his").total == 0)
        #expect(try office.ada.search("field:his=1").total == 0)
    }

    @Test("Totals of many matches count only what the user sees", arguments: [0, 1, 100])
    func ranking(most: Int) throws {
        let query = try SearchQuery("pictures")
        let result = try office.ada.search(query, limit: 10, offset: 0, ranking: most)
        #expect(Set(result.hits.map(\.title)) == ["Adas lease", "Menu"])
        #expect(result.total == 2 || result.isTotalOpen)
    }

    private typealias Use = @Sendable (Archive, DocumentID, _ own: DocumentID) throws -> Void

    private static let uses: [(name: String, use: Use)] = [
        ("summary", { archive, id, _ in _ = try archive.summary(id) }),
        ("document", { archive, id, _ in _ = try archive.document(id) }),
        ("page", { archive, id, _ in _ = try archive.archivedPage(1, of: id) }),
        ("version", { archive, id, _ in _ = try archive.version(of: id) }),
        ("delivered", { archive, id, _ in _ = try archive.deliveredImages(of: id) }),
        ("originals", { archive, id, _ in _ = try archive.originals(of: id) }),
        ("suggestions", { archive, id, _ in _ = try archive.suggestions(for: id) }),
        ("history", { archive, id, _ in _ = try archive.history(of: id) }),
        ("change", { archive, id, _ in try archive.perform([.setTitle("Taken")], on: id) }),
        ("owner", { archive, id, _ in try archive.perform([], owner: "ada", on: id) }),
        ("undo", { archive, id, _ in try archive.undo(id) }),
        ("redo", { archive, id, _ in try archive.redo(id) }),
        ("split", { archive, id, _ in _ = try archive.split(id, after: PageID(rawValue: 1)) }),
        ("merge", { archive, id, own in try archive.merge(id, with: own) }),
        ("merge in", { archive, id, own in try archive.merge(own, with: id) }),
        ("all", { archive, id, own in try archive.change(own, [], mergeWith: id) }),
        ("trash", { archive, id, _ in try archive.trash(id) }),
        ("trash of a version", { archive, id, _ in try archive.trash(id, seen: []) }),
        ("restore", { archive, id, _ in try archive.restore(id) }),
        ("delete", { archive, id, _ in try archive.delete(id) }),
        (
            "receipt",
            { archive, id, _ in
                try archive.keep([KeptReceipt(sink: "s", place: "p", made: 1)], of: id)
            }
        ),
    ]

    @Test("A document of others is as one that does not exist, whatever is done with it")
    func hidden() throws {
        let before = try office.all.document(office.bobs)
        let entries = try office.all.history()
        let none = DocumentID(rawValue: 4711)
        for (name, use) in Self.uses {
            let error = #expect(throws: ArchiveError.self, "\(name)") {
                try use(office.ada, office.bobs, office.adas)
            }
            let missing = #expect(throws: ArchiveError.self, "\(name)") {
                try use(office.ada, none, office.adas)
            }
            #expect(error?.code == .noSuchDocument, "\(name): \(error?.message ?? "")")
            let told = missing?.message.replacing("4711", with: "\(office.bobs)")
            #expect(error?.message == told, "\(name)")
        }
        let after = try office.all.document(office.bobs)
        #expect(after.summary == before.summary && after.receipts == before.receipts)
        #expect(try office.all.history() == entries)
    }

    @Test("The pictures of others are as pictures that do not exist")
    func pictures() throws {
        func picture(_ id: DocumentID) throws -> ImageHash {
            try #require(try office.all.archivedPage(1, of: id)).image
        }
        #expect(try office.ada.media(of: picture(office.bobs)) == nil)
        for id in [office.adas, office.everyones] {
            #expect(try office.ada.media(of: picture(id)) == "image/jpeg")
        }
        #expect(try office.all.media(of: picture(office.bobs)) == "image/jpeg")
        let thumbnail = try #require(try office.all.archivedPage(1, of: office.bobs)?.thumbnail)
        #expect(try office.ada.media(of: thumbnail) == nil)
        #expect(try office.bob.media(of: thumbnail) == "image/jpeg")
    }

    @Test("Emptying the trash deletes nothing of others")
    func trash() throws {
        for id in [office.adas, office.bobs, office.everyones] { try office.all.trash(id) }
        #expect(try office.ada.documentList(DocumentFilter(isTrash: true)).total == 2)
        #expect(try office.ada.emptyTrash() == [office.adas, office.everyones])
        #expect(try office.all.documents(DocumentFilter(isTrash: true)).map(\.id) == [office.bobs])
    }

    @Test("Suggestions and duplicates come from what the user sees")
    func similar() throws {
        for number in 1...3 {
            let id = try SharedOffice.add(
                "Payroll \(number)", "confidential salary statement quarterly bonus",
                to: office.all, by: "bob")
            try office.all.perform([.addTag("payroll"), .setType(.report)], on: id)
        }
        let mine = try SharedOffice.add(
            "Guess", "confidential salary statement quarterly bonus", to: office.all, by: "ada")
        #expect(try office.ada.suggestions(for: mine) == DocumentSuggestions())
        #expect(try office.all.suggestions(for: mine).tags == ["payroll"])
        let twin = try SharedOffice.add("Bobs secret", "other", to: office.all, by: "ada")
        #expect(try office.ada.twin(of: twin) == nil)
        #expect(try office.all.twin(of: twin) == office.bobs)
    }

    @Test("Another owner is set by those who see all, and is in the version and the history")
    func given() throws {
        let seen = try office.all.version(of: office.adas)
        let refused = #expect(throws: ArchiveError.self) {
            try office.ada.perform([], owner: "bob", on: office.adas)
        }
        #expect(refused?.code == .refused)
        try office.all.perform([.setTitle("Moved")], owner: "bob", on: office.adas)
        #expect(try office.bob.summary(office.adas).title == "Moved")
        #expect(try office.ada.documents().map(\.id) == [office.everyones])
        #expect(try office.all.version(of: office.adas) != seen)
        try office.all.perform([], owner: "", on: office.adas)
        #expect(try office.ada.summary(office.adas).owner == nil)
        // The same owner again is no change.
        try office.all.perform([], owner: "", on: office.adas)
        let changes = try office.all.history(of: office.adas).map(\.changes)
        #expect(changes == [["owner"], ["owner"], ["title"], []])
        for name in [String(repeating: "x", count: 61), "two\nlines"] {
            #expect(throws: ArchiveError.self) {
                try office.all.perform([], owner: name, on: office.adas)
            }
        }
    }

    @Test("A document that is split off has the same owner, also when it comes back")
    func split() throws {
        let long = try SharedOffice.add("Long", "one", "two", to: office.all, by: "ada")
        let first = try office.ada.document(long).pages[0].id
        let made = try office.ada.split(long, after: first)
        #expect(try office.ada.summary(made).owner == "ada")
        try office.ada.undo(long)
        _ = try office.ada.emptyTrash()
        try office.ada.redo(long)
        #expect(try office.ada.summary(made).owner == "ada")
    }

    @Test("Owners and history go along when an archive is copied")
    func copied() throws {
        try office.bob.trash(office.bobs)
        let other = try TestFolder()
        let target = try other.open()
        _ = try office.all.copy(into: target)
        #expect(try target.summary(office.adas).owner == "ada")
        #expect(try target.history() == office.all.history())
        // A repeated copy adds nothing, and new entries follow those that were copied.
        _ = try office.all.copy(into: target)
        try target.restore(office.bobs)
        let ids = try target.history().map(\.id)
        #expect(ids.count == 5 && ids == ids.sorted(by: >))
    }
}
