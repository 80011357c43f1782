import Glibc

/// A network, such as `192.168.1.0/24` or `fd00::/8`.
public struct Network: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let length: Int
    /// The network's original text.
    public let description: String

    /// Reads an address and a number of bits; a bare address is a network with only that address.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let bytes = Self.bytes(of: String(parts[0])) else {
            return nil
        }
        let bits = bytes.count * 8
        guard let length = parts.count == 1 ? bits : Int(parts[1]), (0...bits).contains(length)
        else { return nil }
        self.init(bytes, length, text)
    }

    private init(_ bytes: [UInt8], _ length: Int, _ description: String) {
        (self.bytes, self.length, self.description) = (bytes, length, description)
    }

    /// True if the network contains a numeric address; the part from a `%` on is ignored.
    public func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: String(address.prefix { $0 != "%" })),
            other.count == bytes.count
        else { return false }
        let whole = length / 8
        guard bytes[..<whole] == other[..<whole] else { return false }
        guard length % 8 > 0 else { return true }
        return (bytes[whole] ^ other[whole]) >> (8 - UInt8(length % 8)) == 0
    }

    /// The networks of this machine's active interfaces (`getifaddrs`), including loopback.
    public static func ofThisMachine() -> [Network] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [Network] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            guard entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
                let address = bytes(of: entry.pointee.ifa_addr),
                let mask = bytes(of: entry.pointee.ifa_netmask), mask.count == address.count
            else { continue }
            let length = mask.reduce(0) { $0 + $1.nonzeroBitCount }
            found.append(
                Network(address, length, entry.pointee.ifa_name.map { String(cString: $0) } ?? ""))
        }
        return found
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        return inet_pton(AF_INET6, text, &six) == 1 ? withUnsafeBytes(of: six) { Array($0) } : nil
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let address else { return nil }
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }
}
