import FoundationEssentials
import Glibc

/// User names and passwords for network scanners, in a file that only its owner may read.
///
/// A line is `USER:PASSWORD:RESOURCE`, as in `scanimage`'s own file; the resource is what the driver names when it asks, such as
/// `net:scanhost:epson2`, or its beginning up to a colon. A line without a resource counts for every one. Lines that are
/// empty or begin with `#` are skipped, and the first that fits is taken.
struct PasswordFile {
    /// A user's name and password.
    struct Entry: Hashable {
        var user: String
        var password: String
        var resource: String
    }

    var entries: [Entry]

    /// `$XDG_CONFIG_HOME/copystand/sane-passwords`.
    static var standardPath: String {
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            return base + "/copystand/sane-passwords"
        }
        return (environment["HOME"] ?? "/") + "/.config/copystand/sane-passwords"
    }

    /// Why the file's passwords are not used.
    struct Refusal: Error {
        let reason: String
    }

    /// Reads the file at `path`; nil when there is none.
    ///
    /// - Throws: ``Refusal`` when others may read it, somebody else owns it, or it is no plain file of at most 1 MiB.
    static func read(_ path: String) throws(Refusal) -> PasswordFile? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Refusal(reason: "'\(path)' can't be read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= 1 << 20
        else { throw Refusal(reason: "'\(path)' is no file of passwords") }
        guard status.st_uid == geteuid() else {
            throw Refusal(reason: "'\(path)' belongs to somebody else")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Refusal(
                reason: "'\(path)' can be read by others; mend it with: chmod 600 '\(path)'")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        return PasswordFile(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
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
