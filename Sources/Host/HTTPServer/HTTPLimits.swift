/// How much one peer may take of the server.
public struct HTTPLimits: Sendable {
    /// The most simultaneous connections; when they are all in use, the one that has been idle
    /// longest makes room for a new one.
    public var connections = 2048
    /// Simultaneous connections from one IPv4 address or one /64 of IPv6; this machine's own
    /// addresses may have all of them.
    public var connectionsPerAddress = 256
    /// Simultaneous endless answers, such as event streams and live views.
    public var streams = 256
    /// Simultaneous endless answers for one IPv4 address or one /64 of IPv6; this machine's own
    /// addresses may have all of them.
    public var streamsPerAddress = 64
    /// Bytes of request bodies that are kept in memory at once.
    public var bodiesInMemory = 64 << 20
    /// Seconds after which a connection on which nothing happens is closed.
    public var idle = 60
    /// Seconds within which a request's line and headers must have come, however the bytes drip.
    public var head = 20
    /// Seconds within which the body must arrive, plus one for each `bodyRate` bytes.
    public var body = 30
    /// The slowest pace at which a body may come, in bytes a second.
    public var bodyRate = 16 << 10
    /// Bytes for a request's line and headers; more is answered with 431 or 414.
    public var headBytes = 32 << 10
    /// Threads that serve connections; handlers run elsewhere.
    public var threads = 2

    /// The limits of a host for the people of an office.
    public init() {}

    /// The limits where that many files may be open: connections leave a quarter of them for
    /// everything else.
    func fitting(openFiles: Int) -> HTTPLimits {
        var limits = self
        limits.connections = max(1, min(connections, openFiles / 4 * 3))
        return limits
    }
}
