import CommandLine
import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles
import JobOptions
import Listings
import Processing
import ScanService

/// A watched folder with its subfolders.
final class WatchedFolders {
    /// The meaning of a subfolder's name.
    enum Names: String {
        case profile, tag
    }

    let path: String
    private let stillness: Double?
    private let patience: Double
    private let rule: HotGroups.Rule
    private let names: Names?
    private let leavesFiles: Bool
    private let own: WatchedFolder
    private var inner: [String: WatchedFolder] = [:]
    /// Folders that can't be watched, each of which is reported once.
    private var refused: Set<String> = []

    /// - Throws: `DeliveryError` for a folder that can't be watched.
    init(
        _ path: String, stillness: Double?, patience: Double, rule: HotGroups.Rule, names: Names?,
        leavesFiles: Bool
    ) throws {
        self.path = path
        self.stillness = stillness
        self.patience = patience
        self.rule = rule
        self.names = names
        self.leavesFiles = leavesFiles
        own = WatchedFolder(
            try HotFolder(
                path, stillness: stillness, patience: patience, leavesFiles: leavesFiles),
            rule, .usual)
    }

    /// The folder itself, and the folders that are in it now.
    func all(_ console: Console) throws -> [WatchedFolder] {
        guard let names else { return [own] }
        let found = Set(Self.folders(path))
        inner = inner.filter { found.contains($0.key) }
        for name in found.sorted() where inner[name] == nil && !refused.contains(name) {
            do {
                if names == .profile { _ = try ProfilesCommand.library.load(name) }
                let folder = try HotFolder(
                    path + "/" + name, stillness: stillness, patience: patience,
                    leavesFiles: leavesFiles)
                inner[name] = WatchedFolder(
                    folder, rule, names == .tag ? .tag(name) : .profile(name))
            } catch {
                refused.insert(name)
                console.warn(
                    "The folder '\(path)/\(name)' is not watched: \(ErrorMessages.explain(error).text)"
                )
            }
        }
        return [own] + inner.sorted { $0.key < $1.key }.map(\.value)
    }

    /// True if the system reports new files in all of them.
    func areReported(by changes: FolderChanges) -> Bool {
        let folders = [own.folder] + inner.values.map(\.folder)
        return !folders.contains(where: \.isOnNetwork) && changes.watch(folders.map(\.path))
    }

    /// True if no file is left that may still need work.
    var isQuiet: Bool { own.folder.isQuiet && inner.values.allSatisfy(\.folder.isQuiet) }

    /// The subfolders to watch: neither hidden nor our own.
    private static func folders(_ path: String) -> [String] {
        guard let folder = ifSupported({ try GuardedFolder(path) }) else { return [] }
        return folder.listedNames.filter { name in
            // A link would lead out of the folder.
            !name.hasPrefix(".") && name != "done" && name != "failed"
                && folder.entry(name).map { $0.st_mode & S_IFMT == S_IFDIR } == true
        }
    }
}

/// A single watched folder.
final class WatchedFolder {
    /// The meaning of the folder's name for its files.
    enum Meaning {
        case usual
        case profile(String)
        case tag(String)
    }

    let folder: HotFolder
    private var groups: HotGroups
    private let meaning: Meaning
    private var hasLookedBack = false

    init(_ folder: HotFolder, _ rule: HotGroups.Rule, _ meaning: Meaning) {
        self.folder = folder
        self.meaning = meaning
        groups = HotGroups(rule)
    }

    /// The files that an ended host had claimed; they are requested only once.
    func newLeftovers() -> [String] {
        if hasLookedBack { return [] }
        hasLookedBack = true
        return folder.leftovers()
    }

    /// The files that are ready now.
    func ready(now: Double) -> [HotGroups.Group] {
        groups.ready(folder.look(now: now), in: folder, now: now)
    }

    /// Applies the meaning of the folder's name to an order.
    func name(_ order: inout ScanArguments) {
        switch meaning {
        case .usual: break
        case .profile(let name): order.request.profile = name
        case .tag(let name): order.request.options[.tags].append(name)
        }
    }
}
