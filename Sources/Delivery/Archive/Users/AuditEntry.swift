import Documents

/// An action on a document.
public enum AuditAction: String, CaseIterable, Sendable {
    /// Its pages were captured by a device.
    case scanned
    /// Its pages were imported from files.
    case imported
    /// Its pages, metadata or owner were changed.
    case changed
    /// It was sent to a sink.
    case sent
    /// It was put into the trash.
    case trashed
    /// It was restored from the trash.
    case restored
    /// It was deleted for good.
    case deleted
}

/// An entry of the archive's history: a user's action on a document.
///
/// Entries are only added. They stay when their document is deleted.
public struct AuditEntry: Hashable, Sendable {
    /// Its number; a later entry has a higher one.
    public let id: Int64
    /// The time by the database's clock, in seconds since 1970-01-01T00:00:00Z.
    public let made: Double
    /// The user; nil when unknown.
    public let name: String?
    /// The machine that they used.
    public let station: String
    /// The action.
    public let action: AuditAction
    /// The changed parts, such as `title` or `pages`; empty for other actions.
    public let changes: [String]
    /// The sink that the document was sent to; nil for other actions.
    public let sink: String?
    /// The document, which may be deleted by now.
    public let document: DocumentID
    /// The document's title at that time.
    public let title: String
}

extension ReviewAction {
    /// The changed part, as the history names it; nil for a selection.
    var changedPart: String? {
        switch self {
        case .select, .deselect, .selectEntries, .deselectEntries, .deselectAll: nil
        case .deleteSelected, .renumber, .move, .rotate, .crop, .replace: "pages"
        case .editText: "text"
        case .setTitle: "title"
        case .setType: "type"
        case .setNote: "note"
        case .addTag, .removeTag: "tags"
        case .setField: "fields"
        case .addEntry, .setEntryField: "entries"
        case .split: "split"
        case .merge: "merge"
        case .save: "reviewed"
        }
    }
}
