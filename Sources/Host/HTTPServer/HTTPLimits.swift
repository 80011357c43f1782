/// The limits on connections, memory and time for requests.
public struct HTTPLimits: Sendable {
    /// The maximum number of simultaneous connections; when all are in use, the one that has been
    /// idle longest is closed for a new one.
    public var connections = 2048
    /// The maximum number of simultaneous connections from one IPv4 address or one /64 of IPv6;
    /// this machine's own addresses have no limit of their own.
    public var connectionsPerAddress = 256
    /// The maximum number of simultaneous endless answers, such as event streams and live views.
    public var streams = 256
    /// The maximum number of simultaneous endless answers for one IPv4 address or one /64 of IPv6;
    /// this machine's own addresses have no limit of their own.
    public var streamsPerAddress = 64
    /// The maximum size in bytes of all request bodies in memory.
    public var bodiesInMemory = 64 << 20
    /// The seconds after which an idle connection is closed.
    public var idle = 60
    /// The time limit for a request's line and headers, in seconds.
    public var head = 20
    /// The time limit for the body, in seconds, plus one for each `bodyRate` bytes.
    public var body = 30
    /// The slowest allowed rate of a body, in bytes per second.
    public var bodyRate = 16 << 10
    /// The maximum size of a request's line and headers in bytes; a longer one is answered with
    /// 431 or 414.
    public var headBytes = 32 << 10
    /// The threads that serve connections; handlers run elsewhere.
    public var threads = 2

    /// The default limits, which suit an office.
    public init() {}

    /// The limits for a process that may open this many files: a quarter of them is reserved for
    /// uses other than connections.
    func fitting(openFiles: Int) -> HTTPLimits {
        var limits = self
        limits.connections = max(1, min(connections, openFiles / 4 * 3))
        return limits
    }
}
