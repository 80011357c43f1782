/// What statements call as a function of PostgreSQL's, and SQLite has none for.
enum SQLiteMacro {
    /// Whether a document has all wanted tags and fields, where `?N` is a list of them; see
    /// ``wantedList(tags:fields:)``.
    private static let call = "has_all(document.id, ?"

    private static func condition(_ number: Character) -> String {
        """
        (?\(number) = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?\(number)) AS wanted WHERE
            NOT EXISTS (SELECT 1 FROM tag WHERE tag.document = document.id
                AND tag.name = wanted.value ->> 'tag')
            AND NOT EXISTS (SELECT 1 FROM field WHERE field.document = document.id
                AND field.name COLLATE NOCASE = wanted.value ->> 'field'
                AND field.value LIKE wanted.value ->> 'like' ESCAPE '\\')))
        """
    }

    /// A statement with what stands for its calls.
    static func expanded(_ text: String) -> String {
        let parts = text.split(separator: call, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { done, part in
            // A digit and the closing parenthesis.
            done + condition(part.first ?? "1") + part.dropFirst(2)
        }
    }
}
