/// Replaces calls of a function that PostgreSQL's schema has and SQLite lacks.
enum SQLiteMacro {
    /// True if a document has all wanted tags and fields, where `?N` is a list of them; see
    /// ``wantedList(tags:fields:for:)``.
    private static let call = "has_all(document.id, ?"

    private static func condition(_ number: Character) -> String {
        """
        (?\(number) = '[]' OR (
            NOT EXISTS (SELECT 1 FROM json_each(?\(number), '$[0]') AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value))
            AND NOT EXISTS (SELECT 1 FROM json_each(?\(number), '$[1]') AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM field WHERE field.document = document.id
                    AND is_found(field.name, field.value, wanted.value)))))
        """
    }

    /// A statement with the condition in place of each call.
    static func expanded(_ text: String) -> String {
        let parts = text.split(separator: call, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { done, part in
            // A digit and the closing parenthesis.
            done + condition(part.first ?? "1") + part.dropFirst(2)
        }
    }
}
