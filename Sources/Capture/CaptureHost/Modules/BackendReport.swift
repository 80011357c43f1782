/// What the host knows about an installed backend, or a reader.
public struct BackendReport: Codable, Hashable, Sendable {
    /// Its id, the first part of its devices' names.
    public var id: String
    /// Its name for people.
    public var name: String
    /// Its version, where the manifest says it.
    public var version: String?
    /// The protocol version it speaks, where the manifest says it.
    public var `protocol`: Int?
    /// What it serves, in a few words.
    public var serves: String?
    /// The path of its program; nil for one that runs inside the host, or whose program can't be
    /// found.
    public var program: String?
    /// The path of its manifest; nil for one that runs inside the host.
    public var manifest: String?
    /// True when its devices are made up.
    ///
    /// They are used only if they are named or there are no others.
    public var isDemonstration = false
    /// What its process may use.
    public var confinement = Confinement()
    /// How many processes of a reader may work at once; nil for one a core.
    public var workers: Int?
    /// Why it can't be used and what to do; nil when it can.
    public var problem: String?

    /// Describes a backend.
    public init(
        id: String, name: String, version: String? = nil, protocol: Int? = nil,
        serves: String? = nil, program: String? = nil, manifest: String? = nil,
        problem: String? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.protocol = `protocol`
        self.serves = serves
        self.program = program
        self.manifest = manifest
        self.problem = problem
    }
}
