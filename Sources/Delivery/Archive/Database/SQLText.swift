/// A statement as both databases take it, or as each takes it where they differ.
///
/// A literal of this program: no text of a user can become SQL, only a bound value. Values are `?`
/// in order, or `?1`, `?2`…
struct SQLText: ExpressibleByStringLiteral, Sendable {
    /// As SQLite takes it.
    let sqlite: StaticString
    /// As PostgreSQL takes it, with the same marks for values.
    let postgresql: StaticString

    init(stringLiteral text: StaticString) { (sqlite, postgresql) = (text, text) }

    init(sqlite: StaticString, postgresql: StaticString) {
        self.sqlite = sqlite
        self.postgresql = postgresql
    }
}
