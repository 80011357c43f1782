import Glibc

/// The part of the network that wrong tokens are counted for.
///
/// An IPv4 address stands for itself, also when it is written as IPv6 (`::ffff:192.0.2.7`). Of an IPv6 address the first 64 bits
/// count, because whoever has one usually has all that begin so.
enum PeerNetwork {
    /// The name of the network of an address, as `getnameinfo` writes it.
    static func name(of address: String) -> String {
        let text = String(address.prefix { $0 != "%" }.prefix(64))
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return text }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return text }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 255, bytes[11] == 255 {
            return bytes[12...].map { String($0) }.joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}
