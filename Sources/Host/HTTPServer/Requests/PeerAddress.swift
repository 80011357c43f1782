import CMicroHTTPD
import Glibc

/// The address of a connection's other side, for limits per peer.
public struct PeerAddress: Hashable, Sendable {
    /// The numeric address, such as `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`; an IPv4 address
    /// that is mapped to IPv6 is written as IPv4.
    public let text: String
    /// The group that shares one limit: an IPv4 address, or the /64 of an IPv6 address, such as
    /// `2001:db8::/64`.
    ///
    /// A network gives each customer at least a /64, so a limit per IPv6 address would have no
    /// effect.
    public let group: String
    /// True for this machine's own addresses, from which a reverse proxy sends the requests of many
    /// people.
    public let isLoopback: Bool

    /// The client as the owner of its jobs and uploads: its address, with the interface of a
    /// link-local one; `localhost` for `127.0.0.1` and `::1`, which programs use in turn.
    ///
    /// Clients behind a reverse proxy on this machine are one client.
    public var client: String { ["127.0.0.1", "::1"].contains(text) ? "localhost" : text }

    /// The address in a text; any other text is a group of its own.
    public init(_ text: String) {
        let address = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            self.init(four: withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, address, &six) == 1 {
            let bytes = withUnsafeBytes(of: six) { Array($0) }
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                self.init(four: Array(bytes[12...]))
            } else {
                self.init(six: bytes, scope: String(text.dropFirst(address.count)))
            }
        } else {
            self.init(text: text, group: text, isLoopback: false)
        }
    }

    private init(text: String, group: String, isLoopback: Bool) {
        (self.text, self.group, self.isLoopback) = (text, group, isLoopback)
    }

    private init(four bytes: [UInt8]) {
        text = bytes.map(String.init).joined(separator: ".")
        isLoopback = bytes[0] == 127
        group = isLoopback ? "127.0.0.0/8" : text
    }

    /// - Parameter scope: the interface of a link-local address, such as `%eth0`; may be empty.
    private init(six bytes: [UInt8], scope: String) {
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, bytes, &name, socklen_t(name.count))
        text =
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            + scope
        isLoopback = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
        let parts = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        group = isLoopback ? "::1" : parts.joined(separator: ":") + "::/64"
    }
}

extension PeerAddress {
    /// The address of a socket's peer (`getnameinfo`); nil when there is none.
    init?(_ address: UnsafePointer<sockaddr>?) {
        guard let address else { return nil }
        let size =
            address.pointee.sa_family == AF_INET6
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) {
            name -> String? in
            guard
                getnameinfo(
                    address, socklen_t(size), name.baseAddress, socklen_t(name.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { return nil }
            return name.baseAddress.map { String(cString: $0) }
        }
        guard let text else { return nil }
        self.init(text)
    }
}
