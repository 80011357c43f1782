import CPosix
import Glibc

/// Checks that only the user and root can change a file or replace it.
///
/// The rules are those of `StrictModes` in OpenSSH: the file, and each folder on the way to it up
/// to the home, belong to the user or to root, and no other user may write to them. Three things
/// differ:
/// - A group that is the user's own may write, as in Debian's OpenSSH: it has the user's name and
///   no other member.
/// - A folder with the sticky bit, such as `/tmp`, may be on the way, but may not hold the file
///   itself.
/// - A secret may not be readable by anyone else either.
struct TrustCheck {
    var user = geteuid()
    /// The home folder, above which no folder is checked; nil to check all folders.
    var home: String?
    var isPrivate: (gid_t, uid_t) -> Bool = isPrivateGroup
    var nameOfUser: (uid_t) -> String? = userName

    /// Checks the folders and links on the way to a file.
    ///
    /// - Throws: ``UserFileError`` `untrusted`, with the command that fixes it.
    func check(_ way: ResolvedPath) throws(UserFileError) {
        let above = home.map(Self.folders(above:)) ?? []
        for link in way.links where !above.contains(parent(of: link)) {
            var about = stat()
            if lstat(link, &about) == 0 { try checkOwner(about, link, "chown -h") }
        }
        let last = way.folder
        for folder in Set(way.folders + [last]).subtracting(above).sorted() {
            var about = stat()
            guard stat(folder, &about) == 0 else { continue }
            try checkOwner(about, folder)
            let isSticky = about.st_mode & S_ISVTX != 0
            if isSticky && folder != last { continue }
            try checkWriters(about, folder, isSticky: isSticky)
        }
    }

    /// Checks a file itself.
    ///
    /// - Parameter secret: the kind of secrets in the file, such as "passwords"; nil when everyone
    ///   may read it.
    /// - Throws: ``UserFileError`` `untrusted`, with the command that fixes it.
    func check(_ about: stat, _ path: String, secret: String?) throws(UserFileError) {
        try checkOwner(about, path)
        guard let secret else { return try checkWriters(about, path) }
        guard about.st_mode & 0o077 != 0 else { return }
        throw UserFileError(
            .untrusted,
            "'\(path)' holds \(secret) and can be read by others. "
                + "Restrict it with: \(command("chmod 600", about, path))")
    }

    private func checkOwner(
        _ about: stat, _ path: String, _ command: String = "chown"
    ) throws(UserFileError) {
        guard about.st_uid != user, about.st_uid != 0 else { return }
        let owner = nameOfUser(about.st_uid) ?? "\(about.st_uid)"
        let own = nameOfUser(user) ?? "\(user)"
        throw UserFileError(
            .untrusted,
            "'\(path)' belongs to the user \(owner), but this program runs as \(own). Run it as \(owner); or, if you trust "
                + "what is in it, take it over with: sudo \(command) \(shellWord(own)) \(shellWord(path))"
        )
    }

    private func checkWriters(
        _ about: stat, _ path: String, isSticky: Bool = false
    ) throws(UserFileError) {
        let others = about.st_mode & 0o002 != 0
        let isShared =
            about.st_mode & 0o020 != 0
            && (cposix_has_access_list(path) == 1 || !isPrivate(about.st_gid, user))
        guard others || isShared else { return }
        if isSticky, about.st_uid != user {
            throw UserFileError(
                .untrusted,
                "The folder '\(path)' is writable by others, so what is in it can't be trusted. "
                    + "Keep the file in a folder of your own.")
        }
        let change = others ? (isShared ? "go-w" : "o-w") : "g-w"
        throw UserFileError(
            .untrusted,
            "'\(path)' is writable by others, so what is in it can't be trusted. "
                + "Restrict it with: \(command("chmod \(change)", about, path))")
    }

    /// The command with its path, after `sudo` where only root may run it.
    private func command(_ words: String, _ about: stat, _ path: String) -> String {
        (about.st_uid == user ? "" : "sudo ") + words + " " + shellWord(path)
    }

    /// The folders above a folder, with their names as the kernel writes them.
    private static func folders(above folder: String) -> Set<String> {
        guard let real = realpath(folder, nil) else { return [] }
        defer { free(real) }
        var path = String(cString: real)
        var above = Set<String>()
        while path != "/" {
            path = parent(of: path)
            above.insert(path)
        }
        return above
    }
}
