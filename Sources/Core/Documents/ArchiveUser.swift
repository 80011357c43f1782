/// A user of an archive: the owner of documents, and the documents that this user sees.
public struct ArchiveUser: Codable, Hashable, Sendable {
    /// The documents that a user sees.
    public enum Sees: String, Codable, CaseIterable, Sendable {
        /// Every document.
        case all
        /// Their own documents, and those without an owner.
        case own
    }

    /// The name of the person or token; nil when nobody is known.
    public var name: String?
    /// The name of the machine that they use.
    public var station: String
    /// The documents that they see.
    public var sees: Sees

    /// A user; sees every document unless given.
    public init(name: String?, station: String, sees: Sees = .all) {
        self.name = name
        self.station = station
        self.sees = sees
    }

    /// The same user for work that has to reach every document.
    public var seeingAll: ArchiveUser { ArchiveUser(name: name, station: station) }

    /// True if the user sees what belongs to that owner; nil belongs to everyone.
    public func maySee(_ owner: String?) -> Bool { sees == .all || owner == nil || owner == name }
}
