import Glibc

/// The address of a service: a scheme such as `https`, a host, and nothing secret.
package struct WebAddress: Hashable, Sendable {
    /// `scheme://host[:port]`, in lower case.
    package let origin: String
    /// The path and the query, beginning with a slash; empty when the address has neither.
    package let rest: String

    /// The reason why a text is no address.
    package struct Fault: Error {
        /// The failure and the advice, for people.
        package let message: String
    }

    /// Reads an address.
    ///
    /// - Parameter schemes: the allowed schemes; messages suggest the first one.
    /// - Throws: ``Fault`` for an invalid address, or one with a user name.
    package init(
        _ text: String, schemes: [String] = ["https", "http"]
    ) throws(Fault) {
        func refuse(_ why: String) -> Fault {
            Fault(
                message:
                    "The address '\(text.prefix(200))' \(why). It should look like \(schemes.first ?? "https")://host/path."
            )
        }
        guard
            let scheme = schemes.map({ $0 + "://" })
                .first(where: { text.lowercased().hasPrefix($0) })
        else {
            throw refuse(
                "does not begin with \(schemes.map { $0 + "://" }.joined(separator: " or "))")
        }
        guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw refuse("has spaces or letters beyond ASCII, which must be percent-encoded")
        }
        let body = text.dropFirst(scheme.count)
        let host = body.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty else { throw refuse("names no host") }
        // A password in an address would end up in lists and messages.
        guard !host.contains("@") else {
            throw Fault(
                message:
                    "The address holds a user name. Leave it out, and give it separately (--user).")
        }
        guard Self.isHost(host) else {
            throw refuse("names the host '\(host.prefix(200))', which is not a valid name")
        }
        guard !body.contains("#") else { throw refuse("has a fragment (#)") }
        origin = scheme + host.lowercased()
        rest = String(body.dropFirst(host.count))
    }

    /// The address in a text, for messages and comparisons; nil for an invalid one.
    package static func ifValid(
        _ text: String, schemes: [String] = ["https", "http"]
    ) -> WebAddress? {
        try? WebAddress(text, schemes: schemes)
    }

    /// True if a text is a name or an IPv4 address, or an IPv6 address in brackets, each with an
    /// optional port.
    ///
    /// Names in networks of containers have underscores.
    private static func isHost(_ host: Substring) -> Bool {
        guard host.first == "[" else {
            return host.allSatisfy { $0.isLetter || $0.isNumber || "._:-".contains($0) }
        }
        guard let end = host.firstIndex(of: "]") else { return false }
        let address = host[..<end].dropFirst()
        let port = host[end...].dropFirst()
        let isPort = port.first == ":" && port.count > 1 && port.dropFirst().allSatisfy(\.isNumber)
        var bytes = in6_addr()
        return inet_pton(AF_INET6, String(address), &bytes) == 1 && (port.isEmpty || isPort)
    }

    /// The address as a text.
    package var text: String { origin + rest }

    /// The address for people, without its query, which may hold a secret.
    package var shown: String {
        let path = rest.prefix { $0 != "?" }
        return origin + path + (path.count < rest.count ? "?…" : "")
    }

    /// The path of the service's files, without percent-encoding.
    package var decodedPath: String {
        var bytes = EscapedText(Array(rest.prefix { $0 != "?" }.utf8)[...])
        _ = bytes.unescape()
        return String(decoding: bytes.bytes, as: UTF8.self)
    }

    /// The address with more after its path, such as `appending("api/tasks/")`.
    package func appending(_ path: String) -> String {
        let base = rest.prefix { $0 != "?" }
        return origin + base + (base.hasSuffix("/") ? "" : "/") + path
    }

    /// A text as it may be in a path or a query (RFC 3986: all but the unreserved characters
    /// percent-encoded).
    package static func encoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(Character(Unicode.Scalar(byte)))
            default:
                result.append("%")
                result.append(hex[Int(byte >> 4)])
                result.append(hex[Int(byte & 15)])
            }
        }
        return result
    }
}
