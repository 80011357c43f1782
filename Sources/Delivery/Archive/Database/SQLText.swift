/// An SQL statement: one text for both databases, or one for each where they differ.
///
/// The text is a literal of this program: a user's text can't become SQL, only a bound value.
/// Values are `?` in order, or `?1`, `?2`…
struct SQLText: ExpressibleByStringLiteral, Sendable {
    /// The text for SQLite.
    let sqlite: StaticString
    /// The text for PostgreSQL, with the same placeholders for values.
    let postgresql: StaticString

    init(stringLiteral text: StaticString) { (sqlite, postgresql) = (text, text) }

    init(sqlite: StaticString, postgresql: StaticString) {
        self.sqlite = sqlite
        self.postgresql = postgresql
    }
}

/// Numbers as a list in JSON.
func numberList(_ numbers: [Int64]) -> String {
    "[" + numbers.map(String.init).joined(separator: ",") + "]"
}
