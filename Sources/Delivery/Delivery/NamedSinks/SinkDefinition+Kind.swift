import HTTPClient

extension SinkDefinition {
    /// A kind of named sink, declared in a separate file.
    ///
    /// The command line, the API, the page's form and the checks are made from it. ``all`` lists
    /// every kind.
    public struct Kind: Sendable {
        /// The way to the sink, which decides who may add such a sink.
        public enum Reach: Hashable, Sendable {
            /// A service at an address that begins with one of these, such as `https`.
            case network([String])
            /// A program of the host's machine.
            case program
            /// A folder of the host's machine.
            case folder
        }

        /// The kind's name, such as `webdav`.
        public let name: String
        /// The end of a sentence that begins with the name and describes the kind.
        public let summary: String
        /// How documents reach the sink.
        public let reach: Reach
        /// The settings of the kind.
        public let settings: [SinkSetting]
        /// The default extension of the file that is made.
        public let format: String
        /// A valid definition of the kind, for tests and documents.
        public let example: SinkDefinition.Example
        /// The identity of a server, for a person to confirm once; nil for a kind whose servers are
        /// identified otherwise.
        public let identity: Identity?
        let check: @Sendable (SinkDefinition) throws(DeliveryError) -> Void
        let deliverer:
            @Sendable (SinkDefinition, DeliveryTools) throws(DeliveryError) -> any Deliverer

        /// A kind.
        ///
        /// - Parameters:
        ///   - check: refuses values that `settings` allows but that are impossible.
        ///   - deliverer: makes the deliverer for a checked sink.
        init(
            _ name: String, _ summary: String, reach: Reach, settings: [SinkSetting],
            format: String = "pdf", example: SinkDefinition.Example,
            identity: Identity? = nil,
            check: @escaping @Sendable (SinkDefinition) throws(DeliveryError) -> Void = {
                (_) throws(DeliveryError) in
            },
            deliverer:
                @escaping @Sendable (SinkDefinition, DeliveryTools) throws(DeliveryError) ->
                any Deliverer
        ) {
            self.name = name
            self.summary = summary
            self.reach = reach
            self.settings = settings
            self.format = format
            self.example = example
            self.identity = identity
            self.check = check
            self.deliverer = deliverer
        }

        /// True for a service in a network.
        public var isRemote: Bool { !schemes.isEmpty }
        /// True for kinds that use HTTP.
        public var isWeb: Bool { schemes.contains("https") }

        /// The allowed schemes of addresses; empty for a kind without addresses.
        public var schemes: [String] {
            if case .network(let schemes) = reach { return schemes }
            return []
        }

        /// The kind of that name; nil when there is none.
        public static func named(_ name: String) -> Kind? { all.first { $0.name == name } }
    }

    /// The identity of servers that no authority certifies.
    public struct Identity: Sendable {
        /// The parameter with the identity.
        public let parameter: String
        /// Asks a sink's server for its identity; blocks.
        public let ask: @Sendable (SinkDefinition) throws(DeliveryError) -> String
    }

    /// The arguments for an example of a kind: arguments of `copystand sinks add`, without the name
    /// and `--kind`.
    public struct Example: Sendable {
        /// Option and value, such as `["--url", "https://host/"]`.
        public let arguments: [String]
        /// An example with these arguments.
        public init(_ arguments: String...) { self.arguments = arguments }
    }
}

extension SinkDefinition.Kind {
    /// The schemes of HTTP.
    static let webSchemes = ["https", "http"]
}

extension SinkDefinition.Kind: Hashable {
    /// Kinds are equal if their names are.
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension SinkDefinition.Kind: Codable {
    /// Reads a kind's name.
    ///
    /// - Throws: `DecodingError` for an unknown one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let kind = Self.named(name) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: unknownName(
                    name, what: "kind of sink", Self.all.map(\.name)))
        }
        self = kind
    }

    /// Writes the kind's name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

/// The tools of deliverers.
struct DeliveryTools: Sendable {
    let client: any WebClient
    /// The present time in seconds since 1970.
    let now: @Sendable () -> Double
    /// Waits for this many seconds.
    let wait: @Sendable (Double) -> Void
    let stop: DeliveryStop
    let connections: OpenConnections
    /// Records how many bytes of a document were sent; nil if this is not needed.
    ///
    /// For HTTP requests, `client` does this.
    let progress: UploadProgress?
    /// Stores a token that replaces an old one.
    let replaceToken: @Sendable (_ old: String, _ new: String) throws(DeliveryError) -> Void

    /// The service of a definition.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`.
    func service(
        _ definition: SinkDefinition, scheme: String = "Bearer"
    ) throws(DeliveryError) -> Service {
        try Service(definition, scheme: scheme, client: client, now: now)
    }
}

extension DeliveryTools {
    /// Seconds of silence after which a service is given up.
    var patience: Int { client.silenceLimit }
}

extension SinkDefinition {
    /// A parameter of the kind; nil where it was not given.
    func parameter(_ name: String) -> String? { parameters?[name] }
}
