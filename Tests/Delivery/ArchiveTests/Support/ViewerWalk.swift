import Documents
import Testing

@testable import Archive

/// Random requests of three people to one archive, each compared with ``ModelArchive``.
struct ViewerWalk {
    private typealias Content = ModelArchive.Content

    private let seed: UInt64
    private var random: SeededGenerator
    private let folder: TestFolder
    /// The archive as the three people see it: one who sees all, and two who see their own.
    private let views: [Archive]
    private var model = ModelArchive()
    private var told: ToldChanges?
    private var step = 0
    private var what = ""
    /// The requests that went as the model expects, by their names and ends.
    private(set) var ends: [String: Int] = [:]

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        folder = try TestFolder()
        let archive = try folder.open()
        views = [
            archive.used(by: ArchiveUser(name: "boss", station: "desk")),
            archive.used(by: SharedOffice.user("ada")), archive.used(by: SharedOffice.user("bob")),
        ]
        _ = try archive.ownersOfChanges(since: &told)
    }

    private var boss: Archive { views[0] }

    /// The number of documents beyond which no other is added.
    private static let most = 40

    /// Makes that many requests, and ends early when an answer is wrong.
    mutating func run(_ count: Int) throws {
        for number in 1...count {
            step = number
            let view = views[Int.random(in: 0..<views.count, using: &random)]
            try request(view)
            try check("told", boss.ownersOfChanges(since: &told), model.changed, view.user)
            model.changed = []
            try compare(anyDocument(), view)
            for view in views {
                if number % 20 == 0 { try compareLists(view) }
                if number % 200 == 0 { try compareAll(view) }
            }
        }
    }

    /// The failure of the test at this step.
    private func fail(_ text: String, _ user: ArchiveUser) -> ViewerWalkError {
        ViewerWalkError(
            text: "Seed \(seed), step \(step), '\(user.name ?? "")' after \(what): \(text)")
    }

    // MARK: Requests

    private mutating func request(_ view: Archive) throws {
        let id = anyDocument()
        let other = anyDocument()
        let user = view.user
        let document = model.documents[id]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: if model.documents.count < Self.most { try add(view) }
        case 14..<24: try edit(id, view)
        case 24..<32: try arrange(id, view)
        case 32..<38: try replace(id, view)
        case 38..<46:
            let place = Int.random(
                in: 0..<max(1, document?.content.pages.count ?? 1), using: &random)
            let page = document?.content.pages[place] ?? PageID(rawValue: 1)
            var made: DocumentID?
            let end = try end("split \(id)", view) { made = try $0.split(id.named, after: page) }
            try expect(end, model.split(id, user, after: place, into: made?.rawValue), view)
        case 46..<58:
            guard id != other || document != nil else { return }
            let end = try end("merge \(id) with \(other)", view) {
                try $0.merge(id.named, with: other.named)
            }
            try expect(end, model.merge(id, with: other, user), view)
        case 58..<70:
            let end = try end("undo \(id)", view) { try $0.undo(id.named) }
            try expect(end, model.step(id, user, isUndo: true), view)
        case 70..<78:
            let end = try end("redo \(id)", view) { try $0.redo(id.named) }
            try expect(end, model.step(id, user, isUndo: false), view)
        case 78..<82:
            let end = try end("trash \(id)", view) { try $0.trash(id.named) }
            try expect(end, model.trash(id, user, true), view)
        case 82..<86:
            let end = try end("restore \(id)", view) { try $0.restore(id.named) }
            try expect(end, model.trash(id, user, false), view)
        case 86..<90:
            let end = try end("delete \(id)", view) { try $0.delete(id.named) }
            try expect(end, model.delete(id, user), view)
        case 90..<91: try emptyTrash(view)
        case 91..<98:
            let owner = [nil, "ada", "bob"][Int.random(in: 0..<3, using: &random)]
            let end = try end("give \(id) to \(owner ?? "everyone")", view) {
                try $0.perform([], owner: owner ?? "", on: id.named)
            }
            try expect(end, model.give(id, user, to: owner), view)
        default:
            let receipt = KeptReceipt(sink: "sink \(step)", place: "p", made: 1)
            let end = try end("receipt \(id)", view) { try $0.keep([receipt], of: id.named) }
            let failure: ModelArchive.Failure = model.sees(user, id) ? nil : .noSuchDocument
            if failure == nil, let document { model.changed.insert(document.owner) }
            try expect(end, failure, view)
        }
    }

    /// The number of a document: mostly of an existing one, which may be hidden.
    private mutating func anyDocument() -> Int64 {
        let ids = model.documents.keys.sorted()
        guard let last = ids.last, Int.random(in: 0..<10, using: &random) > 0 else {
            return Int64.random(in: 1...(ids.last ?? 1) + 1, using: &random)
        }
        return ids.randomElement(using: &random) ?? last
    }

    /// How a request ends.
    private mutating func end(
        _ what: String, _ view: Archive, _ body: (Archive) throws -> Void
    ) throws -> ModelArchive.Failure {
        self.what = what
        do {
            try body(view)
            return nil
        } catch let error as ArchiveError {
            // No text tells of what the user does not see.
            for id in model.documents.keys where !model.sees(view.user, id) {
                if let title = model.documents[id]?.content.title, error.message.contains(title) {
                    throw fail("the error has '\(title)': \(error.message)", view.user)
                }
            }
            return error.code
        }
    }

    private mutating func expect(
        _ end: ModelArchive.Failure, _ failure: ModelArchive.Failure, _ view: Archive
    ) throws {
        guard end == failure else {
            throw fail(
                "ended with \(end.map { "\($0)" } ?? "success"), not \(failure.map { "\($0)" } ?? "success")",
                view.user)
        }
        let verb = what.split(separator: " ")[0]
        ends["\(verb) \(failure.map { "\($0)" } ?? "succeeded")", default: 0] += 1
    }

    /// Adds a document; now and then one with the pictures of another.
    private mutating func add(_ view: Archive) throws {
        let owner = view.user.sees == .all ? nil : view.user.name
        let twin = Int.random(in: 0..<4, using: &random) == 0
        let copied = twin ? model.documents[anyDocument()]?.content.pages : nil
        let images =
            copied?.compactMap { model.images[$0] }
            ?? (0..<Int.random(in: 1...3, using: &random)).map { "picture \(step) \($0)" }
        let title = "title\(step)"
        what = "add \(title)"
        let addition = try view.begin(
            DocumentInfo(title: title, created: 0, user: owner == nil ? nil : view.user))
        for (index, image) in images.enumerated() {
            try addition.add(
                page("common words of statement\(step % 7)", image: image, number: index + 1))
        }
        let id = try addition.finish()
        let pages = try boss.document(id).pages.map(\.id)
        model.add(id.rawValue, Content(title: title, pages: pages), images: images, owner: owner)
    }

    private mutating func edit(_ id: Int64, _ view: Archive) throws {
        let action: ReviewAction
        let change: (Content) -> Content?
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let title = "title\(step)"
            action = .setTitle(title)
            change = { Content(title: title, tags: $0.tags, fields: $0.fields, pages: $0.pages) }
        case 1:
            let tag = "tag\(id % 5)"
            let isThere = model.documents[id]?.content.tags.contains(tag) == true
            action = isThere ? .removeTag(tag) : .addTag(tag)
            change = { content in
                var content = content
                if isThere {
                    content.tags.removeAll { $0 == tag }
                } else {
                    content.tags.append(tag)
                }
                return content
            }
        default:
            let (name, value) = ("field\(id % 3)", "value\(step)")
            action = .setField(name: name, value: value, source: nil)
            change = { content in
                var content = content
                content.fields[name] = value
                return content
            }
        }
        let end = try end("edit \(id)", view) { try $0.perform([action], on: id.named) }
        try expect(end, model.perform(id, view.user, change), view)
    }

    /// Moves or removes a page.
    private mutating func arrange(_ id: Int64, _ view: Archive) throws {
        let pages = model.documents[id]?.content.pages ?? [PageID(rawValue: 1)]
        let page = pages[Int.random(in: 0..<pages.count, using: &random)]
        if Bool.random(using: &random) {
            let end = try end("move \(id)", view) {
                try $0.perform([.move(page: page, to: 0)], on: id.named)
            }
            let failure = model.perform(id, view.user) { content in
                var content = content
                content.pages.removeAll { $0 == page }
                content.pages.insert(page, at: 0)
                return content
            }
            return try expect(end, failure, view)
        }
        let end = try end("remove \(id)", view) {
            try $0.perform([.select(pages: [page]), .deleteSelected], on: id.named)
        }
        let failure = model.perform(id, view.user) { content in
            var content = content
            content.pages.removeAll { $0 == page }
            return content.pages.isEmpty ? nil : content
        }
        try expect(end, failure, view)
    }

    /// Replaces a page with any existing page.
    private mutating func replace(_ id: Int64, _ view: Archive) throws {
        let pages = model.documents[id]?.content.pages ?? [PageID(rawValue: 1)]
        let page = pages[Int.random(in: 0..<pages.count, using: &random)]
        guard let other = model.pages.randomElement(using: &random) else { return }
        let end = try end("replace \(id)", view) {
            let new = ReviewedPage(id: other, width: 600, height: 800)
            try $0.perform([.replace(page: page, by: new)], on: id.named)
        }
        let failure = model.perform(id, view.user) { content in
            guard !content.pages.contains(other) else { return nil }
            var content = content
            content.pages = content.pages.map { $0 == page ? other : $0 }
            return content
        }
        try expect(end, failure, view)
    }

    private mutating func emptyTrash(_ view: Archive) throws {
        what = "empty the trash"
        let trash = model.seen(by: view.user).filter(\.value.isTrashed).keys.sorted()
        let gone = try view.emptyTrash().map(\.rawValue)
        guard gone == trash else { throw fail("\(gone) instead of \(trash) are gone", view.user) }
        for id in trash { _ = model.delete(id, view.user) }
    }

    // MARK: Answers

    private func check<Value: Equatable>(
        _ name: String, _ found: Value, _ wanted: Value, _ user: ArchiveUser
    ) throws {
        guard found == wanted else { throw fail("\(name): \(found), not \(wanted)", user) }
    }

    private func compareLists(_ view: Archive) throws {
        for isTrash in [false, true] {
            let (documents, total) = try view.documentList(DocumentFilter(isTrash: isTrash))
            let wanted = model.seen(by: view.user).filter { $0.value.isTrashed == isTrash }
            let titles = documents.map { ($0.id.rawValue, $0.title) }
            try check(
                "list", Dictionary(uniqueKeysWithValues: titles), wanted.mapValues(\.content.title),
                view.user)
            try check("total", total, wanted.count, view.user)
        }
    }

    /// Compares every answer to a user with the model.
    private func compareAll(_ view: Archive) throws {
        let user = view.user
        let seen = model.seen(by: user)
        for id in 1...(model.documents.keys.max() ?? 1) + 1 {
            try compare(id, view)
            if seen[id] != nil { try compareRelations(of: id, view) }
        }
        let live = seen.filter { !$0.value.isTrashed }
        let result = try view.search("common", limit: 1_000)
        try check(
            "hits", Set(result.hits.map { "\($0.document) \($0.pageID.rawValue)" }),
            Set(live.flatMap { id, one in one.content.pages.map { "\(id) \($0.rawValue)" } }), user)
        try check(
            "hits", result.total, live.values.reduce(0) { $0 + $1.content.pages.count }, user)
        for document in model.documents.values {
            let title = document.content.title
            try check(
                "search for \(title)", Set(try view.search(title).hits.map(\.document.rawValue)),
                Set(live.filter { $0.value.content.title == title }.keys), user)
        }
        func counts(_ names: (Content) -> [String]) -> [String: Int] {
            Dictionary(
                live.values.flatMap { names($0.content) }.map { ($0, 1) }, uniquingKeysWith: +)
        }
        try check(
            "tags", Dictionary(uniqueKeysWithValues: view.tags().map { ($0.name, $0.documents) }),
            counts(\.tags), user)
        try check(
            "fields",
            Dictionary(uniqueKeysWithValues: view.fields().map { ($0.name, $0.documents) }),
            counts { Array($0.fields.keys) }, user)
        guard user.sees == .own else { return }
        let pictures = model.pictures(for: user)
        for image in Set(model.images.values) {
            let hash = ImageHash(of: Array(image.utf8))
            try check(image, try view.media(of: hash) != nil, pictures.contains(image), user)
        }
    }

    /// Compares everything about a document with the model.
    private func compare(_ id: Int64, _ view: Archive) throws {
        let user = view.user
        guard let known = model.documents[id], model.sees(user, id) else {
            let document = try? view.document(id.named)
            guard document == nil else { throw fail("document \(id) is there", user) }
            return
        }
        let document = try view.document(id.named, withText: false)
        let found = Content(
            title: document.summary.title, tags: document.summary.tags,
            fields: Dictionary(
                uniqueKeysWithValues: document.review.fields.map { ($0.name, $0.value) }),
            pages: document.pages.map(\.id))
        guard found == known.content, document.summary.owner == known.owner else {
            throw fail("document \(id) is \(found), not \(known.content)", user)
        }
        let reach = user.sees == .all ? 0...(known.states.count - 1) : model.reach(id, user)
        let steps = [known.done - reach.lowerBound, reach.upperBound - known.done]
        guard [document.undoable, document.redoable] == steps else {
            throw fail(
                "document \(id) has \(document.undoable) and \(document.redoable) steps, not \(steps)",
                user)
        }
    }

    /// Compares what is said of other documents, and of the past, with the model.
    private func compareRelations(of id: Int64, _ view: Archive) throws {
        let user = view.user
        let twin = try view.twin(of: id.named)?.rawValue
        guard twin == model.twin(of: id, user) else {
            throw fail("the twin of \(id) is \(twin ?? 0)", user)
        }
        let tags = Set(model.seen(by: user).values.flatMap(\.content.tags))
        let suggested = try view.suggestions(for: id.named).tags
        guard tags.isSuperset(of: suggested) else { throw fail("\(suggested) is suggested", user) }
        let entries = try view.history(of: id.named)
        guard !entries.isEmpty, entries.allSatisfy({ $0.document.rawValue == id }) else {
            throw fail("the history of \(id) is \(entries)", user)
        }
    }
}

/// What was wrong, with the seed that repeats it.
struct ViewerWalkError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

extension Int64 {
    /// The document of this number.
    fileprivate var named: DocumentID { DocumentID(rawValue: self) }
}
