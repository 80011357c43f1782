/// What a token allows; each scope includes the ones before it.
public enum AccessScope: String, Codable, Comparable, CaseIterable, Sendable {
    /// The archive is read: documents are listed, searched, shown and downloaded, and nothing is
    /// changed.
    case read
    /// Devices are used, jobs run, the archive is changed, and documents go to sinks that exist.
    case scan
    /// Everything: tokens, sinks, profiles and device names too.
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
