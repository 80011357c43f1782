import Glibc

/// Reads the value of a `Host` header (RFC 9110, 7.2).
public enum HostName {
    /// The name without its port, in lowercase letters; an IPv6 address keeps its brackets.
    ///
    /// Nil for brackets without an address, and for a port that is none of 1 to 65535.
    public static func name(of host: String) -> String? {
        let host = host.lowercased()
        let end =
            host.hasPrefix("[")
            ? host.firstIndex(of: "]").map { host.index(after: $0) }
            : host.firstIndex(of: ":") ?? host.endIndex
        guard let end, isPort(host[end...]) else { return nil }
        let name = String(host[..<end])
        return isAddress(name) || !name.hasPrefix("[") ? name : nil
    }

    /// True for a numeric IPv4 address, or an IPv6 one in brackets.
    public static func isAddress(_ name: String) -> Bool {
        guard name.hasPrefix("[") else {
            var address = in_addr()
            return inet_pton(AF_INET, name, &address) == 1
        }
        var address = in6_addr()
        return name.hasSuffix("]")
            && inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &address) == 1
    }

    /// True for nothing, a colon, or a colon and a port.
    private static func isPort(_ rest: Substring) -> Bool {
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        guard colon == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return digits.isEmpty || Int(digits).map { (1...65535).contains($0) } == true
    }
}
