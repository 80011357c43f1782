import Documents

extension Review {
    /// The differences from another state of the same document, such as `title, tags`.
    func difference(to other: Review) -> String {
        let texts = { (review: Review) in review.pages.map(\.text) }
        let pages = { (review: Review) in review.pages.map { [$0.id.rawValue: $0.frame] } }
        let parts: [(String, Bool)] = [
            ("title", title != other.title), ("type", type != other.type),
            ("note", note != other.note), ("tags", tags != other.tags),
            ("fields", fields != other.fields), ("entries", entries != other.entries),
            ("pages", pages(self) != pages(other)),
            ("text", pages(self) == pages(other) && texts(self) != texts(other)),
            ("numbers", firstNumber != other.firstNumber),
            (
                "selection",
                selectedPages != other.selectedPages || selectedEntries != other.selectedEntries
            ),
            ("the mark 'reviewed'", isSaved != other.isSaved),
        ]
        return parts.filter(\.1).map(\.0).joined(separator: ", ")
    }
}
