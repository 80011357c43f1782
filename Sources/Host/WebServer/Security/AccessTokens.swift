import FileNames
import Archive
import Delivery
public import Documents
import FoundationEssentials
import Glibc
import Hashing
import Synchronization
public import UserFiles

/// The tokens by which people on other machines may use the host; the file contains only their
/// SHA-256.
///
/// A token is 256 random bits, so that a plain hash of it reveals nothing (a password would need a
/// slow one).
public final class AccessTokens: Sendable {
    /// A token's data.
    public struct Token: Codable, Sendable {
        /// The token's owner or purpose.
        public var name: String
        /// The time when the token was made: ISO 8601, UTC.
        public var made: String
        /// The token's scope.
        public var scope: AccessScope
        /// The documents that it sees.
        public var sees: ArchiveUser.Sees
        /// True for a browser that signed in with a code: nobody has its token, and it ends with
        /// its session.
        var isBrowser = false
        /// True for a token that its program removes as soon as it has a code, which then stays
        /// valid; no token over the network is one.
        var isBrief = false
        var sha256: String

        init(
            name: String, made: String, scope: AccessScope, sees: ArchiveUser.Sees,
            isBrowser: Bool, isBrief: Bool, sha256: String
        ) {
            (self.name, self.made, self.scope) = (name, made, scope)
            (self.sees, self.isBrowser, self.isBrief) = (sees, isBrowser, isBrief)
            self.sha256 = sha256
        }

        /// Reads a token; one of an older version has no limits that it does not name.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.decode(String.self, forKey: .name)
            made = try fields.decode(String.self, forKey: .made)
            scope =
                fields.contains(.scope)
                ? try fields.decode(AccessScope.self, forKey: .scope) : .admin
            sees =
                fields.contains(.sees)
                ? try fields.decode(ArchiveUser.Sees.self, forKey: .sees) : .all
            isBrowser = try fields.decodeIfPresent(Bool.self, forKey: .isBrowser) ?? false
            isBrief = try fields.decodeIfPresent(Bool.self, forKey: .isBrief) ?? false
            sha256 = try fields.decode(String.self, forKey: .sha256)
        }
    }

    /// The rights of a client with a token, or with the cookie of a session.
    struct Grant: Hashable, Sendable {
        /// The token's name.
        var name: String
        /// The scope of the token.
        var scope: AccessScope
        /// The documents that it sees.
        var sees: ArchiveUser.Sees
        /// The hash that identifies the token.
        var sha256: String
        /// The hash that identifies the session; nil for a client that sends the token itself.
        var session: String?
        /// True if codes that it makes outlive it.
        var isBrief = false
    }

    /// The file's contents.
    struct Stored: Codable {
        var tokens: [Token] = []
        var sessions: [Session] = []

        init() {}

        /// Reads the contents; an older version knew no sessions.
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            tokens = try fields.decode([Token].self, forKey: .tokens)
            sessions = try fields.decodeIfPresent([Session].self, forKey: .sessions) ?? []
        }
    }

    /// The contents that were read, and the state of their file.
    private struct Known {
        /// Nil for a file that could not be read.
        var stored: Stored?
        var file: FileState?
    }

    /// The properties of a file that every change alters, except for two changes within a tick of
    /// the clock.
    private struct FileState: Equatable {
        var device: dev_t
        var inode: ino_t
        var size: off_t
        var times: [Int]

        init(_ status: stat) {
            (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
            times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
        }

        /// True if any later change will alter the state: the file is at least a second old, which
        /// is longer than a tick.
        var isSettled: Bool {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let (ago, overflows) = (now.tv_sec - 1).subtractingReportingOverflow(times[2])
            return !overflows && (ago > 0 || ago == 0 && now.tv_nsec >= times[3])
        }
    }

    private let path: String
    private let known = Mutex(Known())
    /// What holds as long as this process runs, since it could not be saved.
    private let memory = Mutex(UnsavedTokens())
    /// Held while the file is changed.
    private let changing = Mutex(())

    /// The tokens in a file.
    public init(path: String) { self.path = path }

    /// The user's tokens: `tokens.json` in the user's folder of settings.
    ///
    /// - Throws: `UserFileError` when there is no such folder.
    public static func standard(
        environment: [String: String]
    ) throws(UserFileError) -> AccessTokens {
        AccessTokens(
            path: try UserFolders(environment: environment).usable(.config) + "/tokens.json")
    }

    /// All tokens.
    ///
    /// - Throws: `UserFileError` when the file can't be read, or another user could read or change
    ///   it.
    public func all() throws -> [Token] {
        try memory.withLock(\.self).applied(to: stored(in: file.read())).tokens
    }

    private func stored(in data: [UInt8]?) throws -> Stored {
        guard let data else { return Stored() }
        do {
            return try JSONDecoder().decode(Stored.self, from: Data(data))
        } catch {
            throw DeliveryError(
                .invalidOption, "'\(path)' can't be read as a list of tokens: \(jsonFault(error))")
        }
    }

    /// Makes a new token.
    ///
    /// - Parameters:
    ///   - scope: the token's scope; devices and the archive unless given.
    ///   - sees: the documents that it sees; all unless given.
    ///   - isBrief: true if its program removes it as soon as it has a code; the code stays valid.
    ///   - isTaken: the error when a token has that name already; a `DeliveryError`
    ///     `invalidOption` unless given.
    /// - Returns: the token, which can't be shown again.
    /// - Throws: `isTaken`; `DeliveryError` `invalidOption` when one with every right would see
    ///   only its own documents.
    public func make(
        name: String, scope: AccessScope = .scan, sees: ArchiveUser.Sees = .all,
        isBrief: Bool = false, isTaken: (any Error)? = nil
    ) throws -> String {
        guard scope < .admin || sees == .all else {
            throw DeliveryError(.invalidOption, Self.adminsSeeAll)
        }
        let text = Self.secret()
        try change { stored in
            guard !name.isEmpty, !stored.tokens.contains(where: { $0.name == name }) else {
                throw isTaken
                    ?? DeliveryError(
                        .invalidOption,
                        "There is a token '\(name)' already. Remove it first: copystand token remove \(shellQuoted(name))"
                    )
            }
            stored.tokens.append(Self.token(name, scope, sees, text: text, isBrief: isBrief))
        }
        return text
    }

    /// Makes the first token, with every right; nil when there is one already.
    public func makeFirst() throws -> String? {
        // A host with tokens starts on a disk that can only be read.
        guard try all().isEmpty else { return nil }
        let text = Self.secret()
        return try change { stored in
            guard stored.tokens.isEmpty else { return nil }
            stored.tokens.append(Self.token("first", .admin, .all, text: text))
            return text
        }
    }

    /// The refusal of a token with every right that sees only its own documents.
    static let adminsSeeAll =
        "A token of scope 'admin' can make another that sees everything, so it sees all documents. Choose the scope 'read' or 'scan' for one that sees its own."

    /// A token with this text.
    static func token(
        _ name: String, _ scope: AccessScope, _ sees: ArchiveUser.Sees, text: String,
        isBrowser: Bool = false, isBrief: Bool = false
    ) -> Token {
        Token(
            name: name, made: Date().writable.formatted(.iso8601), scope: scope, sees: sees,
            isBrowser: isBrowser, isBrief: isBrief, sha256: hash(text))
    }

    /// A new text that nobody can guess, for a token or a cookie.
    static func secret() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        // 44 characters out of 62 are 262 bits.
        return String(
            decoding: (0..<44).map { _ in digits.randomElement(using: &random) ?? digits[0] },
            as: UTF8.self)
    }

    /// Removes a token and its sessions, which give no access to later requests; those of this
    /// process are refused even if the file can't be written.
    ///
    /// - Throws: `DeliveryError` `noSuchItem`; `UserFileError`.
    public func remove(name: String) throws {
        try change(unsaved: .holdsHere) { stored in
            guard let token = stored.tokens.first(where: { $0.name == name }) else {
                throw DeliveryError(
                    .noSuchItem,
                    "There is no token '\(name)'. 'copystand token' lists them.")
            }
            stored.remove(token)
        }
    }

    /// The rights of a token; nil for an unknown or removed one.
    func grant(for token: String) -> Grant? { grant(forHash: Self.hash(token)) }

    /// The present rights of the token with this hash; nil for an unknown or removed one.
    func grant(forHash sha256: String) -> Grant? { current().grant(forHash: sha256) }

    /// The present contents; the file is read again after a change.
    ///
    /// An unreadable file gives no one access.
    func current() -> Stored {
        let saved = known.withLock { known -> Stored? in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            let file = FileState(status)
            if known.file != file {
                do {
                    known = Known(
                        stored: try stored(in: self.file.read()),
                        file: file.isSettled ? file : nil)
                } catch {
                    // The next request tries again: without descriptors, for example, a file is
                    // unreadable for a moment only.
                    return Stored()
                }
            }
            return known.stored
        }
        return saved.map(memory.withLock(\.self).applied) ?? Stored()
    }

    /// Changes the file's contents, while no other process can.
    ///
    /// - Parameter unsaved: what happens to a change that can't be saved; it is lost unless given.
    /// - Throws: the errors of `body` and of the file.
    func change<Value: Sendable>(
        unsaved: UnsavedChange = .isLost, _ body: (inout Stored) throws -> Value
    ) throws -> Value {
        try changing.withLock { _ in
            do {
                let value = try file.change { data in
                    var stored = try memory.withLock(\.self).applied(to: stored(in: data))
                    let value = try body(&stored)
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
                    data = Array(try encoder.encode(stored))
                    return value
                }
                memory.withLock { $0 = UnsavedTokens() }
                return value
            } catch let error as UserFileError {
                guard unsaved != .isLost else { throw error }
                let saved = try stored(in: file.read())
                var stored = memory.withLock(\.self).applied(to: saved)
                let value = try body(&stored)
                memory.withLock { $0 = UnsavedTokens(from: saved, to: stored) }
                guard unsaved == .isKept, error.code == .noSpace else { throw error }
                return value
            }
        }
    }

    private var file: UserFile { UserFile(path: path, secret: "hashes of tokens") }

    /// The SHA-256 of a token, in hexadecimal digits.
    static func hash(_ text: String) -> String {
        var hasher = SHA256()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.hexadecimal()
    }
}
