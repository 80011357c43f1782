import Documents

/// What was done with a document.
public enum AuditAction: String, CaseIterable, Sendable {
    /// Its pages were captured by a device.
    case scanned
    /// Its pages came from files.
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

/// An entry of the archive's history: who did what with which document.
///
/// Entries are only added. They stay when their document is deleted.
public struct AuditEntry: Hashable, Sendable {
    /// Its number; a later entry has a higher one.
    public let id: Int64
    /// The time by the database's clock, in seconds since 1970-01-01T00:00:00Z.
    public let made: Double
    /// Who did it; nil when nobody is known.
    public let name: String?
    /// The machine that they used.
    public let station: String
    /// What was done.
    public let action: AuditAction
    /// What was changed, such as `title` or `pages`; empty for other actions.
    public let changes: [String]
    /// The sink that the document was sent to; nil for other actions.
    public let sink: String?
    /// The document, which may be deleted by now.
    public let document: DocumentID
    /// The document's title at that time.
    public let title: String
}

extension ReviewAction {
    /// What the action changes, as the history names it; nil for a selection.
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
