import Archive
import Documents
import FileNames

/// A client's changes to a document's pages, which are made and undone together.
///
/// Page numbers are those before the changes. The order is that of `copystand pages`: show whole
/// pictures, correct, turn, cut, delete, move, number, split and merge.
struct ReviewOrder: Decodable {
    struct Turn: Decodable {
        var pages: [Int]
        var degrees: Int
    }

    struct Cut: Decodable {
        var page: Int
        var box: Box?
    }

    struct Move: Decodable {
        var page: Int
        var to: Int
    }

    struct Correction: Decodable {
        var page: Int
        var text: String
    }

    struct Look: Decodable {
        var pages: [Int]
        var look: String
    }

    struct Replacement: Decodable {
        var page: Int
        var document: Int64
    }

    struct EntryChange: Decodable {
        var id: Int
        var fields: [String: String?]
    }

    var correct: [Correction]?
    var uncut: [Int]?
    var looks: [Look]?
    var replace: Replacement?
    var rotate: [Turn]?
    var crop: [Cut]?
    var delete: [Int]?
    var move: [Move]?
    var renumber: Int?
    var entries: [EntryChange]?
    var deleteEntries: [Int]?
    var save: Bool?
    var splitAfter: Int?
    var merge: Int64?

    /// The names of all looks, including the original's.
    private static let lookNames = ["original"] + PageLook.allCases.map(\.rawValue)
    private static let number = Schema.integer(minimum: 1)
    private static let place = Schema.integer(minimum: 0, maximum: 1_000_000_000)
    private static let side = Schema.integer(minimum: 1, maximum: 1_000_000_000)

    static let schema = Schema.record(
        optional: [
            "correct": .array(.record(["page": number, "text": .string()])),
            "uncut": .array(number),
            "looks": .array(
                .record(["pages": .array(number), "look": .string(choices: lookNames)])),
            "replace": .record(["page": number, "document": number]),
            "rotate": .array(
                .record([
                    "pages": .array(number), "degrees": .limited(.integer(), ["multipleOf": 90]),
                ])),
            "crop": .array(
                .record(
                    ["page": number],
                    optional: [
                        "box": .nullable(
                            .record(["x": place, "y": place, "width": side, "height": side]))
                    ])),
            "delete": .array(number), "move": .array(.record(["page": number, "to": number])),
            "renumber": number,
            "entries": .array(
                .record(["id": .integer(), "fields": .dictionary(.nullable(.string()))])),
            "deleteEntries": .array(.integer()), "save": .boolean, "splitAfter": number,
            "merge": number,
        ])

    /// The actions on a document, except the split and the merge.
    ///
    /// - Throws: ``Problem`` for a missing page; ``ArchiveError``.
    func actions(on review: Review, in archive: Archive) throws -> [ReviewAction] {
        var review = review
        var actions = try pictures(on: review, in: archive)
        do { for action in actions { review = try review.applying(action) } } catch {
            throw Problem(422, "refused", detail: error.message)
        }
        for correction in correct ?? [] {
            let page = try Self.page(correction.page, of: review)
            actions.append(try archive.correction(of: page, to: correction.text))
        }
        for turn in rotate ?? [] {
            guard turn.degrees % 90 == 0,
                let by = PageTurn(rawValue: ((turn.degrees % 360) + 360) % 360)
            else {
                throw Problem.invalid(
                    "\(turn.degrees) is not a turn. Give 90, 180, 270 or -90 degrees.")
            }
            actions.append(
                .rotate(pages: try turn.pages.map { try Self.page($0, of: review).id }, by: by))
        }
        for cut in crop ?? [] {
            actions.append(.crop(page: try Self.page(cut.page, of: review).id, to: cut.box))
        }
        if let delete, !delete.isEmpty {
            let pages = try delete.map { try Self.page($0, of: review).id }
            actions += [.deselectAll, .select(pages: pages), .deleteSelected]
        }
        for step in move ?? [] {
            actions.append(
                .move(
                    page: try Self.page(step.page, of: review).id, to: step.to - review.firstNumber)
            )
        }
        if let renumber { actions.append(.renumber(first: renumber)) }
        for entry in entries ?? [] {
            for (name, value) in entry.fields.sorted(by: { $0.key < $1.key }) {
                actions.append(.setEntryField(entry: entry.id, name: name, value: value))
            }
        }
        if let deleteEntries, !deleteEntries.isEmpty {
            actions += [.deselectAll, .selectEntries(deleteEntries), .deleteSelected]
        }
        if save == true { actions.append(.save) }
        return actions
    }

    /// The actions that give pages other pictures; they come first, since others name the pages
    /// that they make.
    private func pictures(
        on review: Review, in archive: Archive
    ) throws -> [ReviewAction] {
        var actions: [ReviewAction] = []
        for number in uncut ?? [] {
            actions += try archive.uncutting(try Self.page(number, of: review).id, of: review)
        }
        for change in looks ?? [] {
            let look = PageLook(rawValue: change.look)
            guard look != nil || change.look == "original" else {
                throw Problem.invalid(
                    "'\(change.look)' is not a look. Give one of \(Self.lookNames.joined(separator: ", "))."
                )
            }
            for number in change.pages {
                actions += try archive.showing(
                    try Self.page(number, of: review).id, as: look, of: review
                ) { try $0.picture(of: $1) }
            }
        }
        if let replace { actions.append(try replacing(replace, of: review, in: archive)) }
        return actions
    }

    /// Replaces a page by the only page of another document.
    private func replacing(
        _ order: Replacement, of review: Review, in archive: Archive
    ) throws -> ReviewAction {
        let other = try archive.document(DocumentID(rawValue: order.document), withText: false)
        guard let page = other.review.pages.first, other.review.pages.count == 1 else {
            throw Problem(
                422, "refused",
                detail:
                    "Document \(order.document) has \(other.review.pages.count) pages. Give one with a single page."
            )
        }
        return .replace(page: try Self.page(order.page, of: review).id, by: page)
    }

    /// The page after which the document is split.
    func split(of review: Review) throws -> PageID? {
        try splitAfter.map { try Self.page($0, of: review).id }
    }

    private static func page(_ number: Int, of review: Review) throws -> ReviewedPage {
        guard let page = review.page(number: number) else {
            let last = review.firstNumber + review.pages.count - 1
            throw Problem(
                422, "refused",
                detail:
                    "There is no page \(number): the document's pages are \(review.firstNumber) to \(last)."
            )
        }
        return page
    }
}
