/// How much one peer may take of the server.
public struct HTTPLimits: Sendable {
    /// Connections at once, shared evenly among the threads.
    public var connections = 2048
    /// Connections at once from one address.
    public var connectionsPerAddress = 1024
    /// Seconds after which a connection on which nothing happens is closed.
    public var idle = 60
    /// Seconds within which a request's line and headers must have come, however the bytes drip.
    public var head = 20
    /// Seconds within which the body must have come, besides one for each `bodyRate` bytes.
    public var body = 30
    /// The slowest pace at which a body may come, in bytes a second.
    public var bodyRate = 16 << 10
    /// Bytes for a request's line and headers; more is answered with 431 or 414.
    public var headBytes = 32 << 10
    /// Threads that serve connections; handlers run elsewhere.
    public var threads = 2

    /// The limits of a host for the people of an office.
    public init() {}
}
