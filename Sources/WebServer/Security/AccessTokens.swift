import Archive
import Delivery
import FoundationEssentials
import Glibc
import Synchronization
public import UserFiles

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

    /// The user's: `tokens.json` in the user's folder of settings.
    ///
    /// - Throws: `UserFileError` when there is no such folder.
    public static func standard(
        environment: [String: String]
    ) throws(UserFileError) -> AccessTokens {
        AccessTokens(
            path: try UserFolders(environment: environment).usable(.config) + "/tokens.json")
    }

    /// Those there are.
    ///
    /// - Throws: `UserFileError` when the file can't be read, or somebody else could read or change it.
    public func all() throws -> [Token] { try tokens(in: try file.read()) }

    private func tokens(in data: [UInt8]?) throws -> [Token] {
        guard let data else { return [] }
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
        try change { tokens in try Self.make(name, in: &tokens) }
    }

    private static func make(_ name: String, in tokens: inout [Token]) throws -> String {
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
            Token(name: name, made: Date().formatted(.iso8601), sha256: Self.hash(text)))
        return text
    }

    /// Takes one back; whoever has it is let in no more, from the next request on.
    ///
    /// - Throws: `DeliveryError` `noSuchItem`.
    public func remove(name: String) throws {
        try change { tokens in
            guard let index = tokens.firstIndex(where: { $0.name == name }) else {
                throw DeliveryError(
                    .noSuchItem,
                    "There is no token '\(name)'. 'copystand token' lists those there are.")
            }
            tokens.remove(at: index)
        }
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

    /// Changes the tokens that are in the file now, while no other process can.
    private func change<Value>(_ body: (inout [Token]) throws -> Value) throws -> Value {
        try file.change { data in
            var tokens = try tokens(in: data)
            let value = try body(&tokens)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            data = Array(try encoder.encode(Stored(tokens: tokens)))
            return value
        }
    }

    private var file: UserFile { UserFile(path: path, secret: "hashes of tokens") }

    private static func hash(_ text: String) -> String {
        var hasher = SHA256()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.hexadecimal()
    }
}
