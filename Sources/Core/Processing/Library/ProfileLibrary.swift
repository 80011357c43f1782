import FileNames
public import FoundationEssentials
import ProgramFiles
import Suggestions
import UserFiles

/// All profiles: those built into the program, and the user's own.
///
/// The user's profiles are the files `*.json5` in `$XDG_CONFIG_HOME/copystand/profiles`; the file's
/// name is the profile's. A user's profile with the name of a built-in one replaces it. A file with
/// mistakes is listed with them and affects no other.
public struct ProfileLibrary: Sendable {
    /// The origin of a profile.
    public enum Origin: Hashable, Sendable {
        /// The profile is part of the program.
        case builtIn
        /// The profile is a user's file at this path.
        case file(String)
    }

    /// A profile in a list.
    public struct Listing: Hashable, Sendable {
        /// The profile's name.
        public let name: String
        /// A short title for lists; the name when the file can't be read.
        public let title: String
        /// A sentence or two about the profile's purpose.
        public let description: String
        /// The profile's origin.
        public let origin: Origin
        /// The reason why the profile can't be used, in one or more lines; nil when it can be used.
        public let problem: String?
    }

    /// The maximum size of a profile in bytes: 1 MiB.
    public static let sizeLimit = 1 << 20

    /// The folder of the user's profiles, whether or not it exists.
    public let folder: String

    /// The reason why the user has no folder for profiles; nil if there is one.
    private let problem: UserFileError?

    /// The library with the user's profiles in `folder`.
    public init(folder: String) {
        self.folder = folder
        problem = nil
    }

    /// The library of the user described by the environment: `profiles` in the user's folder of
    /// settings.
    ///
    /// Without such a folder, the built-in profiles can still be used.
    public init(environment: [String: String]) {
        let folders = UserFolders(environment: environment)
        folder = (folders.knownPath(.config) ?? "/nonexistent") + "/profiles"
        do {
            _ = try folders.usable(.config)
            problem = nil
        } catch {
            problem = error
        }
    }

    /// Every profile by name, including those with mistakes.
    public func list() -> [Listing] {
        names().map { name in
            let origin = origin(of: name)
            do throws(ProfileError) {
                let profile = try load(name)
                return Listing(
                    name: name, title: profile.title, description: profile.description,
                    origin: origin, problem: nil)
            } catch {
                return Listing(
                    name: name, title: name, description: "", origin: origin,
                    problem: error.message)
            }
        }
    }

    /// The profile called `name`.
    ///
    /// - Throws: ``ProfileError``: `unknownProfile` with the nearest names, `unreadable`, or
    ///   `invalid` with every mistake.
    public func load(_ name: String) throws(ProfileError) -> Profile {
        let source = try source(of: name)
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        let profile = reader.read(source.text, name: name)
        guard reader.problems.isEmpty else {
            throw ProfileError(Self.named(reader.problems, source.file))
        }
        return profile
    }

    /// The text of the profile called `name`, for showing, copying and editing it.
    ///
    /// - Throws: ``ProfileError``: `unknownProfile` with the nearest names, or `unreadable`.
    public func text(of name: String) throws(ProfileError) -> String { try source(of: name).text }

    /// Copies a profile into the user's folder, which is created if missing, so that the user can
    /// edit it.
    ///
    /// - Returns: the new file's path.
    /// - Throws: ``ProfileError``: `unknownProfile`, `unreadable`, or `notCopied` for an invalid or
    ///   existing name, or a folder that can't be written to.
    public func copy(_ name: String, as copy: String) throws(ProfileError) -> String {
        let text = try source(of: name).text
        guard ProfileName.isValid(copy) else {
            throw ProfileError(
                .notCopied, "'\(copy)' is not a name for a profile: \(ProfileName.rule).")
        }
        let path = path(of: copy)
        try change(path) { bytes throws(ProfileError) in
            guard bytes == nil else {
                throw ProfileError(
                    .notCopied,
                    "There is a profile '\(copy)' already: \(path). Choose another name, or remove it first."
                )
            }
            bytes = Array(text.utf8)
        }
        return path
    }

    /// Saves a user's own profile, replacing an earlier one with the same name.
    ///
    /// - Parameter data: the profile's text, at most ``sizeLimit`` bytes.
    /// - Throws: ``ProfileError``: `invalid` with every mistake; `notCopied` for an invalid name or
    ///   one of a built-in profile, or a folder that can't be written to.
    public func save(_ data: Data, as name: String) throws(ProfileError) {
        try checkOwn(name)
        guard ProfileName.isValid(name) else {
            throw ProfileError(
                .notCopied, "'\(name)' is not a name for a profile: \(ProfileName.rule).")
        }
        let path = path(of: name)
        let problems = Self.check(data, file: path).map {
            var problem = $0
            problem.file = nil
            return problem
        }
        guard problems.isEmpty else { throw ProfileError(problems) }
        try change(path) { bytes throws(ProfileError) in bytes = Array(data) }
    }

    /// Removes a user's own profile.
    ///
    /// - Throws: ``ProfileError``: `unknownProfile`; `notCopied` for a built-in profile, or a file
    ///   that can't be removed.
    public func remove(_ name: String) throws(ProfileError) {
        guard case .file(let path) = origin(of: name), names().contains(name) else {
            _ = try source(of: name)
            return try checkOwn(name)
        }
        try change(path) { bytes throws(ProfileError) in bytes = nil }
    }

    /// Changes a profile's file, while no other process can.
    private func change(
        _ path: String, _ body: (inout [UInt8]?) throws(ProfileError) -> Void
    ) throws(ProfileError) {
        do {
            if let problem { throw problem }
            try UserFile(path: path, lock: ".profiles.lock").change(body)
        } catch let error as UserFileError {
            throw ProfileError(
                [.noSpace, .readOnly].contains(error.code) ? .diskUnusable : .notCopied,
                "The profile can't be saved. \(error.message)")
        } catch {
            throw error as? ProfileError ?? ProfileError(.notCopied, "\(error)")
        }
    }

    private func checkOwn(_ name: String) throws(ProfileError) {
        guard Self.builtIn.contains(where: { $0.name == name }) else { return }
        throw ProfileError(
            .notCopied,
            "The profile '\(name)' is built in and can't be changed. Choose another name for your own."
        )
    }

    /// Every mistake in a profile's text; empty when the profile can be used.
    ///
    /// - Parameter file: the path for messages, whose file name without its ending is the profile's
    ///   name; nil for text from elsewhere.
    public static func check(_ data: Data, file: String? = nil) -> [ProfileProblem] {
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        guard data.count <= sizeLimit, let text = String(validating: data, as: UTF8.self) else {
            return named([ProfileProblem(.syntax, place: "", reason: unreadableText)], file)
        }
        _ = reader.read(text, name: file.map(Self.stem))
        return named(reader.problems, file)
    }

    /// The profile in `data`, without saving it.
    ///
    /// - Throws: ``ProfileError`` `invalid` with every mistake.
    public static func profile(_ data: Data) throws(ProfileError) -> Profile {
        let problems = check(data)
        guard problems.isEmpty else { throw ProfileError(problems) }
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        return reader.read(String(decoding: data, as: UTF8.self), name: nil)
    }

    /// Every mistake in the profile at `path`; empty when the profile can be used.
    ///
    /// - Throws: ``ProfileError`` with code `unreadable`.
    public static func check(path: String) throws(ProfileError) -> [ProfileProblem] {
        check(try ProfileFile.read(path, limit: sizeLimit), file: path)
    }

    // MARK: Places of profiles

    private static let builtIn: [(name: String, bytes: [UInt8])] =
        ProgramFiles.below("Sources/Core/Processing/Profiles/BuiltIn").map {
            (stem($0.path), $0.bytes)
        }

    private static let unreadableText = "this is not UTF-8 text of at most 1 MiB"

    private func names() -> [String] {
        let files = FileNames.names(in: folder) ?? []
        let own = files.filter { $0.hasSuffix(".json5") }.map(Self.stem)
            .filter { !$0.isEmpty && !$0.hasPrefix(".") }
        return Set(own + Self.builtIn.map(\.name)).sorted()
    }

    private func path(of name: String) -> String { "\(folder)/\(name).json5" }

    private func origin(of name: String) -> Origin {
        let path = path(of: name)
        return FileManager.default.fileExists(atPath: path) ? .file(path) : .builtIn
    }

    private func source(of name: String) throws(ProfileError) -> (text: String, file: String?) {
        let names = names()
        guard names.contains(name) else {
            let near = didYouMean(nearestNames(to: name, among: names))
            throw ProfileError(
                .unknownProfile,
                "there is no profile '\(name)'; the profiles are \(names.joined(separator: ", "))."
                    + (near.map { " " + $0 } ?? "")
                    + " Your own profiles are the files *.json5 in \(folder).")
        }
        guard case .file(let path) = origin(of: name) else {
            let bytes = Self.builtIn.first { $0.name == name }?.bytes ?? []
            return (String(decoding: bytes, as: UTF8.self), nil)
        }
        do { try UserFile(path: path).checkTrust() } catch {
            throw ProfileError(.unreadable, error.message)
        }
        let data = try ProfileFile.read(path, limit: Self.sizeLimit)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ProfileError(
                [ProfileProblem(.syntax, place: "", reason: Self.unreadableText)]
                    .map { Self.named([$0], path)[0] })
        }
        return (text, path)
    }

    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".json5") ? String(name.dropLast(6)) : name
    }

    private static func named(_ problems: [ProfileProblem], _ file: String?) -> [ProfileProblem] {
        problems.map {
            var problem = $0
            problem.file = file
            return problem
        }
    }
}
