import Synchronization

/// Codes that sign in one browser each, within minutes: a QR code with one gives no lasting access
/// to anyone who photographs it later.
final class SignInCodes: Sendable {
    private struct Code {
        var sha256: String
        var scope: AccessScope
        var end: Double
    }

    /// The number of seconds for which a code is valid.
    static let life = 900.0
    /// The most waiting codes; a further one replaces the oldest.
    static let most = 16
    /// Letters and digits that people don't confuse; 12 of them have 59 bits.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let length = 12

    private let codes = Mutex<[Code]>([])
    private let now: @Sendable () -> Double

    init(now: @escaping @Sendable () -> Double) { self.now = now }

    /// A new code, which signs in with that scope.
    func make(_ scope: AccessScope) -> String {
        var random = SystemRandomNumberGenerator()
        let text = String(
            (0..<Self.length).map { _ in Self.letters.randomElement(using: &random) ?? "a" })
        codes.withLock { codes in
            codes.removeAll { $0.end <= now() }
            if codes.count >= Self.most { codes.removeFirst() }
            codes.append(
                Code(sha256: AccessTokens.hash(text), scope: scope, end: now() + Self.life))
        }
        return text
    }

    /// The scope of a code, which can't be used again; nil for an invalid or old one.
    func use(_ text: String) -> AccessScope? {
        let sha256 = AccessTokens.hash(text)
        return codes.withLock { codes in
            codes.removeAll { $0.end <= now() }
            guard let index = codes.firstIndex(where: { $0.sha256 == sha256 }) else { return nil }
            return codes.remove(at: index).scope
        }
    }
}
