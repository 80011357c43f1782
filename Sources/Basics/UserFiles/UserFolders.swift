import Glibc

/// Finds a user's own folders; no other code knows where they are.
///
/// Each folder is called `copystand`. It is in the folder that a variable of the XDG Base Directory
/// Specification names; without that variable, it is in the usual place in the user's home. The
/// home is `HOME`, or else the one in the password database. A variable that is empty or relative
/// counts as not set.
public struct UserFolders: Sendable {
    /// The purposes of folders.
    public enum Kind: CaseIterable, Sendable {
        /// Settings and secrets: `XDG_CONFIG_HOME`, or `~/.config`.
        case config
        /// The archive and the user's backends: `XDG_DATA_HOME`, or `~/.local/share`.
        case data
        /// Jobs and the outbox: `XDG_STATE_HOME`, or `~/.local/state`.
        case state
        /// Files that can be made again: `XDG_CACHE_HOME`, or `~/.cache`.
        case cache

        /// The environment variable that names the folder above this one.
        public var variable: String {
            switch self {
            case .config: "XDG_CONFIG_HOME"
            case .data: "XDG_DATA_HOME"
            case .state: "XDG_STATE_HOME"
            case .cache: "XDG_CACHE_HOME"
            }
        }

        var placeInHome: String {
            switch self {
            case .config: ".config"
            case .data: ".local/share"
            case .state: ".local/state"
            case .cache: ".cache"
            }
        }
    }

    private let environment: [String: String]
    private let user: uid_t
    private let registeredHome: @Sendable (uid_t) -> String?

    /// The user's folders, according to the environment.
    public init(environment: [String: String]) {
        self.init(environment: environment, user: geteuid(), registeredHome: homeInPasswordDatabase)
    }

    /// The folders of any user, for tests.
    ///
    /// - Parameter registeredHome: the home of a user in the password database.
    init(
        environment: [String: String], user: uid_t,
        registeredHome: @escaping @Sendable (uid_t) -> String?
    ) {
        self.environment = environment
        self.user = user
        self.registeredHome = registeredHome
    }

    /// The path of the folder for `kind`, without accessing the disk.
    ///
    /// - Throws: ``UserFileError`` `noHome`.
    public func path(_ kind: Kind) throws(UserFileError) -> String {
        try base(kind).path + "/copystand"
    }

    /// The path of the folder for `kind`, without accessing the disk; nil for a user without a home.
    public func knownPath(_ kind: Kind) -> String? { try? path(kind) }

    /// The path of the folder for `kind`, which may be missing; every part of the path that exists
    /// is a folder.
    ///
    /// - Throws: ``UserFileError`` `noHome` or `folderUnusable`.
    public func usable(_ kind: Kind) throws(UserFileError) -> String {
        let (base, home) = try base(kind)
        if let home { try check(home, kind, isHome: true) }
        try check(base, kind)
        try check(base + "/copystand", kind)
        return base + "/copystand"
    }

    /// The path of the user's home.
    ///
    /// - Throws: ``UserFileError`` `noHome`.
    public func home() throws(UserFileError) -> String {
        guard let home = knownHome else { throw noHome(nil) }
        return home
    }

    /// The folder for files that last as long as the user is logged in: `XDG_RUNTIME_DIR`, or
    /// `/run/user/UID`; nil where neither is a folder that belongs to this user.
    public func runtime() -> String? {
        [Self.absolute(environment["XDG_RUNTIME_DIR"]), "/run/user/\(user)"].compactMap { $0 }
            .first { folder in
                var about = stat()
                return stat(folder, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
                    && about.st_uid == user
            }
    }

    private func base(_ kind: Kind) throws(UserFileError) -> (path: String, home: String?) {
        if let named = Self.absolute(environment[kind.variable]) { return (named, nil) }
        guard let home = knownHome else { throw noHome(kind) }
        return (home + "/" + kind.placeInHome, home)
    }

    /// The path of the user's home; nil for a user without one.
    var knownHome: String? {
        // For users without a home, the password database has '/'. In HOME, '/' is a choice.
        Self.absolute(environment["HOME"])
            ?? Self.absolute(registeredHome(user)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The path without slashes at its end, so that the root is empty; nil for a relative one.
    private static func absolute(_ path: String?) -> String? {
        guard var path = path?[...], path.hasPrefix("/") else { return nil }
        while path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    private func noHome(_ kind: Kind?) -> UserFileError {
        let variables = (["HOME"] + [kind?.variable].compactMap { $0 }).joined(separator: " or ")
        return UserFileError(
            .noHome,
            "There is no home folder: HOME is not set to an absolute path, and the password database names none for "
                + "the user \(user). Set \(variables) to a folder that you may write to.")
    }

    private func check(_ folder: String, _ kind: Kind, isHome: Bool = false) throws(UserFileError) {
        var about = stat()
        let what: String
        if stat(folder + "/.", &about) == 0 { return }
        if errno == ENOTDIR {
            what = "is not a folder"
        } else if errno == ENOENT {
            if !isHome { return }
            what = "does not exist"
        } else {
            what = "can't be entered: \(String(cString: strerror(errno)))"
        }
        throw UserFileError(
            .folderUnusable,
            "\(isHome ? "Your home folder '\(folder)'" : "'\(folder)'") \(what). Set HOME or \(kind.variable) to a folder "
                + "that you may write to.")
    }
}
