public import Delivery

/// A place that has lost a document delivered to it, if this can be checked.
public struct LostPlace: Codable, Hashable, Sendable {
    /// The file or the sink's name; `archive` for an archive.
    public var place: String
    /// The document's number in the archive; nil for other places.
    public var document: String?
    /// The loss of the document.
    public var loss: DeliveredPlace.Loss
    /// The places where all of its pages are found.
    public var others: [String]

    /// A place that lost its document.
    public init(
        _ place: String, document: String? = nil, _ loss: DeliveredPlace.Loss,
        others: [String] = []
    ) {
        self.place = place
        self.document = document
        self.loss = loss
        self.others = others
    }

    /// The loss in words, such as `'a.pdf' is gone`.
    var words: String {
        let name = document.map { "document \($0) of the archive" } ?? "'\(place)'"
        return switch loss {
        case .gone: "\(name) is gone"
        case .changed: "\(name) was changed, replaced or damaged"
        case .trashed: "\(name) is in the trash"
        case .unreadable: "\(name) can't be checked"
        }
    }
}

/// The pages of a job that are not safe elsewhere, described for users.
public struct PagesAtRisk: Sendable {
    /// The number of pages that are in no place that can be checked.
    public var pages: Int
    /// The number of these pages that were delivered before.
    public var lostPages: Int
    /// True when more pages may be at risk than can be counted.
    public var isAtLeast: Bool
    /// The places that lost their document.
    public var places: [LostPlace]

    /// Pages at risk.
    public init(pages: Int, lostPages: Int, isAtLeast: Bool, places: [LostPlace]) {
        self.pages = pages
        self.lostPages = lostPages
        self.isAtLeast = isAtLeast
        self.places = places
    }

    /// Sentences about the pages at risk and the reason; nil for none.
    public var words: String? {
        let covered = places.filter { !$0.others.isEmpty }.map { place in
            "\(sentence(place.words)), but \(Self.named(place.others)) its pages."
        }
        let lost = min(pages, lostPages)
        let alone = places.filter(\.others.isEmpty)
        var said = covered
        if lost > 0, !alone.isEmpty {
            let isSure = alone.allSatisfy { $0.loss == .gone }
            let verb = isSure ? (lost == 1 ? "is" : "are") : "may be"
            let facts = alone.map(\.words).joined(separator: ", ")
            said.append("\(Self.many(lost)) \(verb) only in this job now: \(facts).")
        }
        let never = pages - (alone.isEmpty ? 0 : lost)
        if never > 0 {
            let number = (isAtLeast ? "At least " : "") + Self.many(never)
            said.append("\(number) \(never == 1 ? "was" : "were") never delivered.")
        }
        return said.isEmpty ? nil : said.joined(separator: " ")
    }

    private func sentence(_ words: String) -> String {
        words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func many(_ pages: Int) -> String { pages == 1 ? "1 page" : "\(pages) pages" }

    private static func named(_ places: [String]) -> String {
        let names = places.map { $0 == archive ? "the archive" : "'\($0)'" }
        return names.joined(separator: " and ") + (places.count == 1 ? " has" : " have")
    }

    /// The name of an archive in the list of places.
    static let archive = "archive"
}
