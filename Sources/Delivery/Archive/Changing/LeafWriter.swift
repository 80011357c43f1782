import Documents
import FoundationEssentials

/// Updates the tables that are used for lookups (`document`, `leaf`, `tag`, `field`, the index) to
/// a document's present state.
///
/// Only pages that changed are indexed again.
struct LeafWriter {
    private let database: any ArchiveDatabase
    private let document: SeenDocument
    private let isIndexed: Bool
    private let texts: [PageID: [UInt8]]?

    /// - Parameters:
    ///   - isIndexed: False for a document in the trash.
    ///   - texts: The captured texts of all pages, as stored; read from the database when nil.
    init(
        _ database: any ArchiveDatabase, document: SeenDocument, isIndexed: Bool,
        texts: [PageID: [UInt8]]? = nil
    ) {
        self.database = database
        self.document = document
        self.isIndexed = isIndexed
        self.texts = texts
    }

    /// Writes what differs between two states.
    ///
    /// - Parameter old: The present contents of the tables; nil for a document that is new in them.
    func update(from old: Review?, to new: Review) throws {
        try writeHead(new)
        if old?.tags ?? [] != new.tags { try writeTags(new) }
        if old?.fields ?? [] != new.fields || old?.entries ?? [] != new.entries {
            try writeFields(new)
        }
        var before: [PageID: (index: Int, page: ReviewedPage)] = [:]
        for (index, page) in (old?.pages ?? []).enumerated() { before[page.id] = (index, page) }
        let about = Self.about(new)
        let oldAbout = old.map(Self.about) ?? ""

        let staying = Set(new.pages.map(\.id))
        for page in old?.pages ?? [] where !staying.contains(page.id) { try remove(page.id) }
        for (index, page) in new.pages.enumerated() {
            let said = index == 0 ? about : ""
            guard let known = before[page.id] else {
                try insert(page, at: index, about: said)
                continue
            }
            if known.index != index {
                try database.run(
                    "UPDATE leaf SET position = ? WHERE document = ? AND page = ?",
                    [.integer(index), document.value, .integer(page.id.rawValue)])
            }
            if known.page != page || (known.index == 0 ? oldAbout : "") != said {
                try rewrite(page, about: said)
            }
        }
    }

    /// Removes the document's pages from the index, or adds them to it.
    func setIndexed(_ wanted: Bool) throws {
        let leaves = try database.all(
            "SELECT id, indexed FROM leaf WHERE document = ?", [document.value]
        ) { (try $0.integer(0), try $0.integer(1) != 0) }
        for (leaf, isIn) in leaves where isIn != wanted {
            try database.index.setIndexed(leaf, wanted)
        }
    }

    /// Writes the searched texts of a document's pages again, and leaves the index to the caller.
    func rewriteTexts(_ review: Review) throws {
        for page in review.pages {
            guard let text = salvaged({ try searchText(page) }) else { continue }
            try database.run(
                "UPDATE leaf SET body = ?, broken = ? WHERE document = ? AND page = ?",
                [
                    .text(text.body), .text(text.broken), document.value,
                    .integer(page.id.rawValue),
                ])
        }
    }

    // MARK: Head

    private func writeHead(_ new: Review) throws {
        try database.run(
            "UPDATE document SET title = ?, type = ?, note = ?, saved = ?, pages = ?, first = ? WHERE id = ?",
            [
                .text(new.title), .text(new.type.rawValue), .text(new.note),
                .integer(new.isSaved ? 1 : 0), .integer(new.pages.count), .integer(new.firstNumber),
                document.value,
            ])
    }

    private func writeTags(_ new: Review) throws {
        try database.run("DELETE FROM tag WHERE document = ?", [document.value])
        for (position, name) in new.tags.enumerated() {
            try database.run(
                "INSERT INTO tag (document, position, name) VALUES (?, ?, ?)",
                [document.value, .integer(position), .text(name)])
        }
    }

    /// Entry 0 stands for the document itself.
    private func writeFields(_ new: Review) throws {
        try database.run("DELETE FROM field WHERE document = ?", [document.value])
        let all =
            new.fields.map { (0, $0) }
            + new.entries.flatMap { entry in entry.fields.map { (entry.id, $0) } }
        for (entry, field) in all {
            try database.run(
                "INSERT INTO field (document, entry, name, value, source) VALUES (?, ?, ?, ?, ?)",
                [
                    document.value, .integer(entry), .text(field.name), .text(field.value),
                    .text(field.source),
                ])
        }
    }

    /// The document's metadata, for the index.
    static func about(_ review: Review) -> String {
        let fields = review.fields + review.entries.flatMap(\.fields)
        return withoutControls(
            ([review.title, review.note] + review.tags + fields.map(\.value))
                .filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    // MARK: Leaves

    private func insert(_ page: ReviewedPage, at position: Int, about: String) throws {
        try database.index.insert(
            try leaf(page, at: position, about: about), isIndexed: isIndexed)
    }

    private func rewrite(_ page: ReviewedPage, about: String) throws {
        guard let known = try leaf(of: page.id) else { return }
        try database.index.rewrite(
            known.id, as: try leaf(page, at: 0, about: about), wasIndexed: known.isIndexed,
            isIndexed: isIndexed)
    }

    private func leaf(_ page: ReviewedPage, at position: Int, about: String) throws -> Leaf {
        Leaf(
            document: document, position: position, page: page.id.rawValue,
            text: LeafText(try searchText(page), about: about), frame: try Self.frame(page),
            isCorrected: page.text != nil)
    }

    /// A frame as the column holds it.
    private static func frame(_ page: ReviewedPage) throws -> String {
        if page.frame.crop == nil, page.frame.turn == .none { return "" }
        return String(decoding: try JSONEncoder().encode(page.frame), as: UTF8.self)
    }

    private func remove(_ page: PageID) throws {
        guard let leaf = try leaf(of: page) else { return }
        try database.index.remove(leaf.id, wasIndexed: leaf.isIndexed)
    }

    private func leaf(of page: PageID) throws -> (id: Int64, isIndexed: Bool)? {
        try database.first(
            "SELECT id, indexed FROM leaf WHERE document = ? AND page = ?",
            [document.value, .integer(page.rawValue)]
        ) { (try $0.integer(0), try $0.integer(1) != 0) }
    }

    private func searchText(_ page: ReviewedPage) throws -> SearchText? {
        guard let text = try captured(page) else { return nil }
        return SearchText(text.shown(in: page.frame))
    }

    private func captured(_ page: ReviewedPage) throws -> PageText? {
        if let text = page.text { return text }
        let stored = try texts.map { $0[page.id] } ?? PageTable(database).storedText(page.id)
        return try stored.map { bytes in
            guard let text = PageTextCoding.decode(bytes) else {
                throw PageTable.damagedText(page.id)
            }
            return text
        }
    }
}
