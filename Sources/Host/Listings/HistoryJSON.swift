public import Archive

/// Entries of an archive's history, for `archive history --json` and the HTTP API.
public struct HistoryJSON: Codable, Sendable {
    /// An action on a document, with its author.
    public struct Entry: Codable, Sendable {
        package var id: Int64
        package var made: String
        package var name: String?
        package var station: String
        package var action: String
        /// The changed part; nil for other actions.
        package var changes: [String]?
        /// The sink that the document was sent to; nil for other actions.
        package var sink: String?
        package var document: DocumentID
        package var title: String

        /// The JSON of an entry.
        public init(_ entry: AuditEntry) {
            id = entry.id
            made = moment(entry.made)
            name = entry.name
            station = entry.station
            action = entry.action.rawValue
            changes = entry.action == .changed ? entry.changes : nil
            sink = entry.sink
            document = entry.document
            title = entry.title
        }
    }

    /// The entries, the newest first.
    public var entries: [Entry]

    /// The JSON of entries.
    public init(_ entries: [AuditEntry]) { self.entries = entries.map(Entry.init) }
}
