import Synchronization

/// Codes that sign in one browser each, within minutes: a QR code with one gives no lasting access
/// to anyone who photographs it later.
final class SignInCodes: Sendable {
    private struct Code {
        var sha256: String
        var scope: AccessScope
        var end: Double
        /// The client that made it; nil for the program itself.
        var maker: AccessTokens.Grant?
    }

    /// The number of seconds for which a code is valid.
    static let life = 900.0
    /// The maximum number of waiting codes, enough for a class; a further one replaces the oldest.
    static let most = 256
    /// Letters and digits that people don't confuse; 12 of them have 59 bits.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let length = 12

    private let codes = Mutex<[Code]>([])
    /// Lets one browser at a time sign in, so that a second one with the same code waits for the
    /// first.
    private let turns = Turns()
    private let now: @Sendable () -> Double
    private let maySignIn: @Sendable (AccessTokens.Grant) -> Bool

    /// - Parameters:
    ///   - now: the seconds of a clock that can't be set.
    ///   - maySignIn: whether the codes of a client may still sign in.
    init(
        now: @escaping @Sendable () -> Double,
        maySignIn: @escaping @Sendable (AccessTokens.Grant) -> Bool = { _ in true }
    ) {
        (self.now, self.maySignIn) = (now, maySignIn)
    }

    /// A new code, which signs in with that scope.
    ///
    /// - Parameter maker: the client that makes it, whose end is also that of the code; nil for the
    ///   program itself.
    func make(_ scope: AccessScope, by maker: AccessTokens.Grant? = nil) -> String {
        var random = SystemRandomNumberGenerator()
        let text = String(
            (0..<Self.length).map { _ in Self.letters.randomElement(using: &random) ?? "a" })
        codes.withLock { codes in
            codes.removeAll { $0.end <= now() }
            if codes.count >= Self.most { codes.removeFirst() }
            codes.append(
                Code(
                    sha256: AccessTokens.hash(text), scope: scope, end: now() + Self.life,
                    maker: maker))
        }
        return text
    }

    /// Signs in with a code, which can't be used again once that has succeeded.
    ///
    /// - Parameter signIn: signs in with the code's scope.
    /// - Returns: the result of `signIn`; nil for an invalid or old code.
    /// - Throws: the error of `signIn`; the code can then be used again.
    func use<Value>(_ text: String, _ signIn: (AccessScope) throws -> Value) rethrows -> Value? {
        let sha256 = AccessTokens.hash(text)
        // Someone who guesses must not wait, or make others wait.
        guard scope(of: sha256) != nil else { return nil }
        return try turns.take {
            guard let scope = scope(of: sha256) else { return nil }
            let value = try signIn(scope)
            codes.withLock { $0.removeAll { $0.sha256 == sha256 } }
            return value
        }
    }

    private func scope(of sha256: String) -> AccessScope? {
        let code = codes.withLock { codes in
            codes.removeAll { $0.end <= now() }
            return codes.first { $0.sha256 == sha256 }
        }
        // A token that was taken back must not return by a code.
        guard let code, code.maker.map(maySignIn) ?? true else { return nil }
        return code.scope
    }
}
