import CMicroHTTPD
import Glibc

/// Finds the names and addresses of this machine.
public enum ThisMachine {
    /// The machine's name (`gethostname`), in lowercase letters.
    public static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
        ).lowercased()
    }

    /// The machine's name, the name without a domain, and the mDNS name.
    public static var names: [String] { names(of: name) }

    /// The names of a machine with that name.
    public static func names(of name: String) -> [String] {
        let name = name.lowercased()
        let short = String(name.prefix { $0 != "." })
        return [name, short, short + ".local"].reduce(into: []) { all, one in
            if !one.isEmpty, !all.contains(one) { all.append(one) }
        }
    }

    /// The numeric addresses of the network interfaces that are up (`getifaddrs`), with IPv4 first;
    /// without loopback and link-local addresses.
    public static var addresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [(isSix: Bool, text: String)] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = entry.pointee.ifa_flags
            guard flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0,
                let address = entry.pointee.ifa_addr
            else { continue }
            let isSix = CInt(address.pointee.sa_family) == AF_INET6
            guard isSix || CInt(address.pointee.sa_family) == AF_INET else { continue }
            let size = isSix ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                    == 0
            else { continue }
            let shown = String(
                decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // A link-local address has its interface's name after a %.
            if !shown.contains("%") { found.append((isSix, shown)) }
        }
        return found.filter { !$0.isSix }.map(\.text) + found.filter(\.isSix).map(\.text)
    }
}
