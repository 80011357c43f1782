public import Delivery

/// A place that a job delivered to and that does not have the document any more, as far as can be
/// seen.
public struct LostPlace: Codable, Hashable, Sendable {
    /// The output as it was ordered, or the sink's name.
    public var place: String
    /// What has become of it.
    public var loss: DeliveredPlace.Loss
    /// Places that have the same document still.
    public var others: [String]

    /// A place that is lost.
    public init(_ place: String, _ loss: DeliveredPlace.Loss, others: [String] = []) {
        self.place = place
        self.loss = loss
        self.others = others
    }

    /// What has become of it, such as `'a.pdf' is gone`.
    var words: String {
        switch loss {
        case .gone: "'\(place)' is gone"
        case .changed: "'\(place)' was changed or replaced"
        case .unreadable: "'\(place)' can't be looked at"
        }
    }
}

extension StoredJob {
    /// Says how many pages no output has, and why, and which places are lost that others make up
    /// for; nil where there is nothing of this to say.
    public static func loss(of pages: Int, _ lost: [LostPlace]) -> String? {
        let many = pages == 1 ? "1 page" : "\(pages) pages"
        let alone = lost.filter(\.others.isEmpty)
        var said = lost.filter { !$0.others.isEmpty }.map { place in
            let others = place.others.map { "'\($0)'" }.joined(separator: " and ")
            return
                "\(place.words), but \(others) \(place.others.count == 1 ? "has" : "have") its pages."
        }
        if pages > 0, alone.isEmpty {
            said.append("\(many) \(pages == 1 ? "was" : "were") never delivered.")
        } else if pages > 0 {
            let isSure = alone.allSatisfy { $0.loss == .gone }
            let verb = isSure ? (pages == 1 ? "is" : "are") : "may be"
            let facts = alone.map(\.words).joined(separator: ", ")
            said.append("\(many) \(verb) in no file any more: \(facts).")
        }
        return said.isEmpty ? nil : said.joined(separator: " ")
    }
}
