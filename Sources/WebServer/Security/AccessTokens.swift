import Archive
import Delivery
import Documents
import FoundationEssentials
import Glibc
import Synchronization

/// The tokens by which people on other machines may use the host; the file holds their SHA-256 only.
///
/// A token is 256 random bits, so that a plain hash of it tells nothing (a password would need a slow one).
public final class AccessTokens: Sendable {
    /// A token as it is known.
    public struct Token: Codable, Sendable {
        /// Whose it is, or what for.
        public var name: String
        /// When it was made: ISO 8601, universal time.
        public var made: String
        var sha256: String
    }

    private struct Stored: Codable {
        var tokens: [Token]
    }

    /// The tokens as they were read, and the time of the file they were read from.
    private struct Known {
        var tokens: [Token] = []
        var modified: timespec?
    }

    private let path: String
    private let known = Mutex(Known())

    /// The tokens in a file.
    public init(path: String) { self.path = path }

    /// The user's: `$XDG_CONFIG_HOME/copystand/tokens.json`, else `~/.config/copystand/tokens.json`.
    public static func standard(environment: [String: String]) -> AccessTokens {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return AccessTokens(path: folder + "/copystand/tokens.json")
        }
        return AccessTokens(
            path: (environment["HOME"] ?? "/tmp") + "/.config/copystand/tokens.json")
    }

    /// Those there are.
    ///
    /// - Throws: `DeliveryError` when the file can't be read, or others may read it.
    public func all() throws -> [Token] {
        guard let data = try file.read() else { return [] }
        do {
            return try JSONDecoder().decode(Stored.self, from: Data(data)).tokens
        } catch {
            throw DeliveryError(
                .invalidOption, "'\(path)' can't be read as a list of tokens: \(error)")
        }
    }

    /// Makes a new one.
    ///
    /// - Returns: The token, which nobody can tell again.
    /// - Throws: `DeliveryError`: `invalidOption` when there is one of that name.
    public func make(name: String) throws -> String {
        var tokens = try all()
        guard !name.isEmpty, !tokens.contains(where: { $0.name == name }) else {
            throw DeliveryError(
                .invalidOption,
                "There is a token '\(name)' already. Remove it first: copystand token remove \(shellQuoted(name))"
            )
        }
        var random = SystemRandomNumberGenerator()
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        // 44 of 62 signs are 262 bits.
        let text = String(
            decoding: (0..<44).map { _ in digits.randomElement(using: &random) ?? digits[0] },
            as: UTF8.self)
        tokens.append(
            Token(name: name, made: Date().writable.formatted(.iso8601), sha256: Self.hash(text)))
        try write(tokens)
        return text
    }

    /// Takes one back; whoever has it is let in no more, from the next request on.
    ///
    /// - Throws: `DeliveryError` `noSuchItem`.
    public func remove(name: String) throws {
        var tokens = try all()
        guard let index = tokens.firstIndex(where: { $0.name == name }) else {
            throw DeliveryError(
                .noSuchItem, "There is no token '\(name)'. 'copystand token' lists those there are."
            )
        }
        tokens.remove(at: index)
        try write(tokens)
    }

    /// True for a token that was made and not taken back.
    func allows(_ token: String) -> Bool {
        let hash = Array(Self.hash(token).utf8)
        return current().reduce(false) { found, known in
            // Every one is compared to its end, so that the time tells nothing.
            let other = Array(known.sha256.utf8)
            let isSame =
                other.count == hash.count
                && zip(other, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
            return found || isSame
        }
    }

    /// The tokens as they are now; the file is read again when it has changed.
    ///
    /// One that can't be read lets nobody in.
    private func current() -> [Token] {
        known.withLock { known in
            var status = stat()
            guard stat(path, &status) == 0 else { return [] }
            let modified = status.st_mtim
            if known.modified?.tv_sec != modified.tv_sec
                || known.modified?.tv_nsec != modified.tv_nsec
            {
                known = Known(tokens: (try? all()) ?? [], modified: modified)
            }
            return known.tokens
        }
    }

    private func write(_ tokens: [Token]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try file.replace(with: Array(try encoder.encode(Stored(tokens: tokens))))
    }

    private var file: PrivateFile { PrivateFile(path: path, holding: "hashes of tokens") }

    private static func hash(_ text: String) -> String {
        var hasher = SHA256()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.hexadecimal()
    }
}
