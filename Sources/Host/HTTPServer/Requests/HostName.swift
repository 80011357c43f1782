/// Reads the value of a `Host` header.
public enum HostName {
    /// The name without its port, in lowercase letters; an IPv6 address keeps its brackets.
    public static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first.map(
            String.init) ?? host
    }

    /// True for a numeric IPv4 address, or an IPv6 one in brackets.
    public static func isAddress(_ name: String) -> Bool {
        if name.hasPrefix("[") && name.hasSuffix("]") {
            return name.dropFirst().dropLast().allSatisfy {
                $0.isHexDigit || $0 == ":" || $0 == "."
            }
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.count <= 3 && part.allSatisfy(\.isWholeNumber) && (UInt8(part) != nil)
            }
    }
}
