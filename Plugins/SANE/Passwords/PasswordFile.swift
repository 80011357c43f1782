import FoundationEssentials
import UserFiles

/// User names and passwords for network scanners, in a file that only its owner may read.
///
/// A line is `USER:PASSWORD:RESOURCE`, as in `scanimage`'s own file; the resource is the driver's
/// name for it, such as `net:scanhost:epson2`, or its beginning up to a colon. A line without a
/// resource matches all of them. Empty lines, and those that begin with `#`, are skipped; the first
/// line that matches is used.
struct PasswordFile {
    /// A user's name and password.
    struct Entry: Hashable {
        var user: String
        var password: String
        var resource: String
    }

    var entries: [Entry]

    /// `sane-passwords` in the user's folder of settings.
    static var standardPath: String {
        get throws(UserFileError) {
            let folders = UserFolders(environment: ProcessInfo.processInfo.environment)
            return try folders.usable(.config) + "/sane-passwords"
        }
    }

    /// The reason why the file's passwords can't be used.
    struct Refusal: Error {
        let reason: String
    }

    /// Reads the file at `path`, the user's own unless given; nil when there is none.
    ///
    /// - Throws: ``Refusal`` when someone else could read or change it, or it is not a plain file.
    static func read(_ path: String? = nil) throws(Refusal) -> PasswordFile? {
        do {
            let file = UserFile(path: try path ?? standardPath, secret: "passwords")
            return try file.read().map { PasswordFile(String(decoding: $0, as: UTF8.self)) }
        } catch {
            throw Refusal(reason: (error as? UserFileError)?.message ?? "\(error)")
        }
    }

    /// The entries of a file's text.
    init(_ text: String) {
        entries = text.split(whereSeparator: \.isNewline).compactMap { line in
            guard !line.hasPrefix("#") else { return nil }
            let parts = line.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false
            ).map(String.init)
            guard parts.count >= 2 else { return nil }
            return Entry(
                user: parts[0], password: parts[1], resource: parts.count == 3 ? parts[2] : "")
        }
    }

    /// The first entry for `resource`.
    func entry(for resource: String) -> Entry? {
        entries.first {
            $0.resource.isEmpty || $0.resource == resource || resource.hasPrefix($0.resource + ":")
        }
    }
}
