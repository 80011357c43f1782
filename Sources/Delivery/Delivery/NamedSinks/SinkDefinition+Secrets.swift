import FoundationEssentials
import HTTPClient

extension SinkDefinition {
    /// Replaces this sink's secrets in a service's text.
    var secrets: SecretRedactor { secrets(besides: []) }

    /// The same with additional secrets, such as a token that a service has just issued.
    func secrets(besides others: [String]) -> SecretRedactor {
        var secrets = [token, password].compactMap { $0 } + others
        if let user, let password {
            let pair = "\(user):\(password)"
            secrets += [pair, Data(pair.utf8).base64EncodedString()]
        }
        for value in (headers ?? [:]).values { secrets += Self.parts(ofHeader: value) }
        if let url { secrets += Self.parts(ofAddress: url) }
        secrets += Self.parts(ofCommand: command ?? [])
        secrets += (environment ?? []).compactMap { ProcessInfo.processInfo.environment[$0] }
        return SecretRedactor(secrets)
    }

    /// The sink's target for people: the address, template or command, without secrets.
    package var shownTarget: String? {
        if let url { return WebAddress.ifValid(url, schemes: kind.schemes)?.shown ?? "" }
        return template
            ?? command.map { words in
                SecretRedactor(Self.parts(ofCommand: words)).redacted(words.joined(separator: " "))
            }
    }

    /// A header's value, and its words that may be secrets, such as a token after `Bearer`.
    private static func parts(ofHeader value: String) -> [String] {
        let words = value.split { " ;,=".contains($0) }.map(String.init)
            .filter { $0.utf8.count >= 8 }
        let pairs = words.compactMap { (word) -> String? in
            let filling = String(repeating: "=", count: (4 - word.utf8.count % 4) % 4)
            return Data(base64Encoded: word + filling)
                .map { String(decoding: $0, as: UTF8.self) }
        }.filter { $0.contains(":") }
        return [value] + words + pairs.flatMap { [$0] + $0.split(separator: ":").map(String.init) }
    }

    /// User and password, and the values of the query, of an address.
    private static func parts(ofAddress text: String) -> [String] {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            return []
        }
        let rest = text[colon...].dropFirst(3)
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        var parts: [String] = []
        if let end = host.lastIndex(of: "@") {
            let userinfo = String(host[..<end])
            parts += [userinfo] + userinfo.split(separator: ":").dropFirst().map(String.init)
        }
        guard let query = rest.firstIndex(of: "?") else { return parts }
        for pair in rest[rest.index(after: query)...].split(whereSeparator: { "&;".contains($0) }) {
            let value = pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] } ?? pair
            var bytes = EscapedText(Array(value.utf8)[...])
            _ = bytes.unescape()
            parts += [String(value), String(decoding: bytes.bytes, as: UTF8.self)]
        }
        return parts
    }

    /// The arguments of a program that seem to be secrets, by the name of their option, by the
    /// address around them, or by their form.
    private static func parts(ofCommand words: [String]) -> [String] {
        var parts: [String] = []
        var isNextSecret = false
        for word in words.dropFirst() {
            if isNextSecret {
                parts += Self.parts(ofHeader: word) + word.split(separator: ":").map(String.init)
            }
            let name = word.prefix { $0 != "=" && $0 != ":" && $0 != " " }
            let value = word.dropFirst(name.count).drop { "=: ".contains($0) }
            let isSecret = isSecretName(name)
            if isSecret, !value.isEmpty { parts += Self.parts(ofHeader: String(value)) }
            isNextSecret = isSecret && value.isEmpty && word.hasPrefix("-")
            parts += Self.parts(ofAddress: word)
            if looksSecret(word) { parts.append(word) }
        }
        return parts
    }

    private static func isSecretName(_ name: Substring) -> Bool {
        let marks = ["token", "pass", "secret", "key", "auth", "credential", "cookie", "bearer"]
        let name = name.lowercased()
        return name == "-u" || name == "-p" || marks.contains { name.contains($0) }
    }

    /// True if an argument is long, of letters and digits, and not a path or option.
    private static func looksSecret(_ word: String) -> Bool {
        word.utf8.count >= 16 && !word.hasPrefix("/") && !word.hasPrefix("-")
            && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
            && word.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "+/=_-.".utf8.contains(byte)
                }
            }
    }
}
