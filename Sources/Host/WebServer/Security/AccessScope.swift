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

extension AccessScope {
    /// Checks that these rights include those of `needed`.
    ///
    /// - Throws: ``Problem`` 403.
    func check(_ needed: AccessScope) throws(Problem) {
        guard self < needed else { return }
        var problem = Problem(
            403, "scope-too-narrow",
            detail:
                "This needs a token of scope '\(needed.rawValue)'; this one has '\(rawValue)'. Ask the host's administrator, or make one on its machine with: copystand token add NAME --scope \(needed.rawValue)"
        )
        problem.scope = needed
        throw problem
    }
}
