public import Processes

/// The host's knowledge of an installed backend or reader.
public struct BackendReport: Codable, Hashable, Sendable {
    /// The module's id; a device's id begins with it.
    public var id: String
    /// The module's name for people.
    public var name: String
    /// The module's version; nil if the manifest does not state it.
    public var version: String?
    /// The version of the protocol that the module speaks; nil if the manifest does not state it.
    public var `protocol`: Int?
    /// The devices or texts that the module is for, in a few words.
    public var serves: String?
    /// The path of the program; nil for a backend inside the host, or a program that can't be
    /// found.
    public var program: String?
    /// The path of the manifest; nil for a backend inside the host.
    public var manifest: String?
    /// True when the backend's devices are virtual.
    ///
    /// Virtual devices are used only if they are named or there are no others.
    public var isDemonstration = false
    /// The memory, descriptors and rights of the module's process.
    public var confinement = Confinement()
    /// The number of a reader's processes that may work at once; nil for one per core.
    public var workers: Int?
    /// The reason why the module can't be used, and the advice; nil when it can be used.
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
