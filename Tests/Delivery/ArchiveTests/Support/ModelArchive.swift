import Documents

@testable import Archive

/// What an archive should contain after changes by several users, and who may see what.
///
/// It knows nothing of tables: documents are values with a list of states.
struct ModelArchive {
    /// A document in one of its states.
    struct Content: Hashable {
        var title: String
        var tags: [String] = []
        var fields: [String: String] = [:]
        var pages: [PageID]
    }

    /// The other document of a change.
    enum Link {
        case split(Int64)
        case merge(Int64, joined: Content)
    }

    struct Document {
        var owner: String?
        var isTrashed = false
        var states: [Content]
        /// The links of the changes; state `n + 1` is made by change `n`.
        var links: [Link?] = []
        var done = 0

        var content: Content { states[done] }
    }

    /// How a user's request should end; nil if it should succeed.
    typealias Failure = ArchiveError.Code?

    private(set) var documents: [Int64: Document] = [:]
    /// The last owners of deleted documents.
    private var lastOwners: [Int64: String?] = [:]
    /// The picture of each page.
    private(set) var images: [PageID: String] = [:]
    /// The owners of what was changed, since this was emptied; nil is everyone.
    var changed: Set<String?> = []

    // MARK: Who sees what

    func sees(_ user: ArchiveUser, _ id: Int64) -> Bool {
        documents[id].map { user.maySee($0.owner) } ?? false
    }

    /// The documents that a user sees.
    func seen(by user: ArchiveUser) -> [Int64: Document] {
        documents.filter { user.maySee($0.value.owner) }
    }

    /// True if a user may bring a page into a document that does not show it.
    private func mayBring(_ page: PageID, _ user: ArchiveUser, among known: Set<PageID>) -> Bool {
        guard user.sees == .own else { return true }
        let owners = documents.values.filter { $0.content.pages.contains(page) }.map(\.owner)
        return owners.isEmpty ? known.contains(page) : owners.contains { user.maySee($0) }
    }

    /// True if a user may go from a state of a document to the one before or after it.
    private func mayStep(
        _ document: Document, _ user: ArchiveUser, from old: Int, to new: Int, _ seen: Set<PageID>
    ) -> Bool {
        guard user.sees == .own else { return true }
        var known = seen
        switch document.links[min(old, new)] {
        case .split(let other): guard saw(user, other) else { return false }
        case .merge(let other, let joined):
            guard saw(user, other) else { return false }
            known.formUnion(joined.pages)
        case nil: break
        }
        return Set(document.states[new].pages).subtracting(document.states[old].pages)
            .allSatisfy { mayBring($0, user, among: known) }
    }

    /// True if a user sees a document, or saw it until it was deleted.
    private func saw(_ user: ArchiveUser, _ id: Int64) -> Bool {
        if let document = documents[id] { return user.maySee(document.owner) }
        return lastOwners[id].map { user.maySee($0) } ?? false
    }

    /// The states of a document to which a user may go.
    func reach(_ id: Int64, _ user: ArchiveUser) -> ClosedRange<Int> {
        guard let document = documents[id] else { return 0...0 }
        var seen = Set(document.states[...document.done].flatMap(\.pages))
        var (first, last) = (document.done, document.done)
        while first > 0, mayStep(document, user, from: first, to: first - 1, seen) { first -= 1 }
        while last + 1 < document.states.count,
            mayStep(document, user, from: last, to: last + 1, seen)
        {
            last += 1
            seen.formUnion(document.states[last].pages)
        }
        return first...last
    }

    /// The pictures that a user may get.
    func pictures(for user: ArchiveUser) -> Set<String> {
        Set(
            seen(by: user).flatMap { id, document in
                document.states[reach(id, user)].flatMap(\.pages).compactMap { images[$0] }
            })
    }

    /// The pages of existing documents, also hidden ones.
    var pages: [PageID] {
        Set(documents.values.flatMap(\.states).flatMap(\.pages)).sorted()
    }

    /// The oldest other document with the same pictures that a user sees.
    func twin(of id: Int64, _ user: ArchiveUser) -> Int64? {
        let mine = documents[id]?.content.pages.map { images[$0] }
        return seen(by: user).filter { other, document in
            other != id && !document.isTrashed
                && document.content.pages.map { images[$0] } == mine
        }.keys.min()
    }

    // MARK: Changes

    mutating func add(_ id: Int64, _ content: Content, images: [String], owner: String?) {
        documents[id] = Document(owner: owner, states: [content])
        for (page, image) in zip(content.pages, images) { self.images[page] = image }
        changed.insert(owner)
    }

    /// Makes a change; `made` is what the document is afterwards, nil for an impossible change.
    mutating func perform(
        _ id: Int64, _ user: ArchiveUser, link: Link? = nil, _ change: (Content) -> Content?
    ) -> Failure {
        guard sees(user, id), var document = documents[id] else { return .noSuchDocument }
        guard let new = change(document.content) else { return .refused }
        let known = Set(document.states[...document.done].flatMap(\.pages))
        let isOpen = Set(new.pages).subtracting(document.content.pages)
            .allSatisfy { mayBring($0, user, among: known) }
        guard isOpen else { return .noSuchDocument }
        document.states = document.states[...document.done] + [new]
        document.links = document.links[..<document.done] + [link]
        document.done += 1
        documents[id] = document
        changed.insert(document.owner)
        return nil
    }

    /// Splits a document after a page.
    mutating func split(
        _ id: Int64, _ user: ArchiveUser, after place: Int, into made: Int64?
    ) -> Failure {
        guard sees(user, id), let document = documents[id] else { return .noSuchDocument }
        guard let made, place + 1 < document.content.pages.count else { return .refused }
        documents[made] = Document(
            owner: document.owner, states: [Self.part(document.content, after: place)])
        return perform(id, user, link: .split(made)) { content in
            var kept = content
            kept.pages = Array(content.pages[...place])
            return kept
        }
    }

    private static func part(_ content: Content, after place: Int) -> Content {
        Content(
            title: content.title, tags: content.tags, pages: Array(content.pages[(place + 1)...]))
    }

    mutating func merge(_ id: Int64, with other: Int64, _ user: ArchiveUser) -> Failure {
        guard sees(user, id), sees(user, other), let joined = documents[other]?.content else {
            return .noSuchDocument
        }
        guard id != other else { return .refused }
        let failure = perform(id, user, link: .merge(other, joined: joined)) { content in
            guard Set(content.pages).isDisjoint(with: joined.pages) else { return nil }
            var whole = content
            whole.pages += joined.pages
            whole.tags += joined.tags.filter { !content.tags.contains($0) }
            whole.fields.merge(joined.fields) { mine, _ in mine }
            return whole
        }
        if failure == nil { setTrashed(other, true) }
        return failure
    }

    mutating func step(_ id: Int64, _ user: ArchiveUser, isUndo: Bool) -> Failure {
        guard sees(user, id), let document = documents[id] else { return .noSuchDocument }
        let new = document.done + (isUndo ? -1 : 1)
        guard document.states.indices.contains(new), reach(id, user).contains(new) else {
            return .refused
        }
        documents[id]?.done = new
        changed.insert(document.owner)
        switch document.links[min(document.done, new)] {
        case .split(let other):
            let (whole, kept) = isUndo ? (new, document.done) : (document.done, new)
            let place = document.states[kept].pages.count - 1
            let part = Self.part(document.states[whole], after: place)
            follow(other, comesBack: isUndo ? nil : part, of: document)
        case .merge(let other, let joined):
            follow(other, comesBack: isUndo ? joined : nil, of: document)
        case nil: break
        }
        return nil
    }

    private mutating func follow(_ id: Int64, comesBack content: Content?, of document: Document) {
        if documents[id] == nil, let content {
            documents[id] = Document(
                owner: lastOwners[id] ?? document.owner, isTrashed: true, states: [content])
        }
        setTrashed(id, content == nil)
    }

    private mutating func setTrashed(_ id: Int64, _ isTrashed: Bool) {
        guard let document = documents[id], document.isTrashed != isTrashed else { return }
        documents[id]?.isTrashed = isTrashed
        changed.insert(document.owner)
    }

    mutating func trash(_ id: Int64, _ user: ArchiveUser, _ isTrashed: Bool) -> Failure {
        guard sees(user, id) else { return .noSuchDocument }
        setTrashed(id, isTrashed)
        return nil
    }

    mutating func delete(_ id: Int64, _ user: ArchiveUser) -> Failure {
        guard sees(user, id), let document = documents[id] else { return .noSuchDocument }
        guard document.isTrashed else { return .refused }
        documents[id] = nil
        lastOwners[id] = .some(document.owner)
        changed.insert(document.owner)
        return nil
    }

    mutating func give(_ id: Int64, _ user: ArchiveUser, to owner: String?) -> Failure {
        guard sees(user, id), let document = documents[id] else { return .noSuchDocument }
        guard user.sees == .all else { return .refused }
        if document.owner != owner { changed.insert(nil) }
        documents[id]?.owner = owner
        return nil
    }
}
