public import Documents
import FoundationEssentials

/// The properties that a document lacks and similar documents have.
public struct DocumentSuggestions: Hashable, Sendable {
    /// The type of most similar documents; nil when the document has a type, or when they have
    /// different ones.
    public var type: DocumentType?
    /// Tags that several similar documents have, the best first.
    public var tags: [String] = []
}

extension Archive {
    /// The maximum number of words of a document that a search for similar ones uses.
    private static let distinctiveWords = 24
    /// The maximum number of documents that are compared with it.
    private static let neighbors = 8
    /// The minimum total weight of the documents with a suggestion: more than one document can
    /// have.
    private static let enough = 1.2

    /// Suggestions for a document: the type and the tags of documents with the same words on their
    /// first page.
    ///
    /// The weight of a document is its rank (BM25) divided by that of the best one.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    public func suggestions(for id: DocumentID) throws(ArchiveError) -> DocumentSuggestions {
        try access { database in
            try database.read {
                let document = try database.see(id)
                let own = try Self.summary(document, database)
                let others = try Self.similar(to: document, database)
                var types: [DocumentType: Double] = [:]
                var tags: [String: Double] = [:]
                for (other, weight) in others {
                    let summary = try Self.summary(database.see(other), database)
                    if summary.type != .other { types[summary.type, default: 0] += weight }
                    for tag in summary.tags where !own.tags.contains(tag) {
                        tags[tag, default: 0] += weight
                    }
                }
                let all = others.reduce(0) { $0 + $1.weight }
                let best = types.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
                return DocumentSuggestions(
                    type: best.flatMap {
                        own.type == .other && $0.value >= Self.enough && $0.value > all / 2
                            ? $0.key : nil
                    },
                    tags: tags.filter { $0.value >= Self.enough }
                        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key))
            }
        }
    }

    /// Documents that have words of another document's first page on a page, the most similar
    /// first.
    private static func similar(
        to own: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> [(document: Int64, weight: Double)] {
        let body = try database.first(
            "SELECT body FROM leaf WHERE document = ? AND position = 0", [own.value]
        ) { try $0.text(0) }
        let words = Set(
            (body ?? "").lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
                .filter { $0.count >= 4 })
        // The longest words describe a document best.
        let distinctive = words.sorted { ($1.count, $0) < ($0.count, $1) }.prefix(distinctiveWords)
        guard !distinctive.isEmpty else { return [] }
        let found = try database.index.similar(
            to: Array(distinctive), besides: own, limit: neighbors)
        guard let best = found.first?.weight, best > 0 else { return [] }
        return found.map { ($0.document, $0.weight / best) }.filter { $0.weight >= 0.4 }
    }
}
