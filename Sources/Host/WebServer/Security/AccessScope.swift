/// The rights of a token; each scope includes the previous ones.
public enum AccessScope: String, Codable, Comparable, CaseIterable, Sendable {
    /// Reading the archive: listing, searching, showing and downloading documents.
    case read
    /// Using devices, running jobs, changing the archive, and sending documents to existing sinks.
    case scan
    /// Everything, including tokens, sinks, profiles and aliases.
    case admin

    /// True if `left` allows less than `right`.
    public static func < (left: AccessScope, right: AccessScope) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .read: 0
        case .scan: 1
        case .admin: 2
        }
    }
}
