import CPosix
import CaptureKit
import FileNames
import FoundationEssentials
import Glibc
import GuardedFiles
public import UserFiles

/// Installs backends in a user's own backend folder, and removes them.
///
/// Each backend gets a folder `<id>` with its manifest, its program and the files that its manifest
/// names, at the same relative paths as in the original folder. A note in it records where that
/// folder was. The installer makes the folder under another name and then renames it, so that the
/// host never finds an incomplete one.
public struct BackendInstaller: Sendable {
    /// The user's backend folder.
    public let folder: String
    /// The user who runs this program; root is refused.
    private let user: uid_t

    /// The note in the folder of an installed backend.
    static let note = ".installed.json"

    /// An installer into the folder that ``HostConfiguration/userBackendFolder(environment:)``
    /// names.
    ///
    /// - Throws: `UserFileError` when there is no such folder of the user's.
    public init() throws(UserFileError) {
        self.init(folder: try HostConfiguration.userBackendFolder(), user: geteuid())
    }

    init(folder: String, user: uid_t) {
        self.folder = folder
        self.user = user
    }

    /// Installs the backend from a folder with a `backend.json`.
    ///
    /// Before the host can find the copy, it is started once to check that it speaks the protocol.
    ///
    /// - Parameters:
    ///   - source: the backend's folder.
    ///   - known: the installed backends; their ids are in use.
    ///   - replaces: true to replace a backend with the same id that this installer put there.
    /// - Returns: the installed backend.
    /// - Throws: ``HostError`` `installRefused`, or the reason why the backend does not start.
    public func install(_ source: String, known: [BackendReport], replaces: Bool = false)
        async throws -> BackendReport
    {
        try refuseRoot()
        let plan = try InstallPlan(source)
        let goal = folder + "/" + plan.manifest.id
        try checkName(plan, known, goal: goal, replaces: replaces)
        try make(folder)
        removeLeftovers()
        let stage = folder + "/" + WorkName.new(for: plan.manifest.id)
        do {
            try plan.copy(to: stage)
            try await tryOut(stage)
            try place(stage, goal)
        } catch {
            GuardedFolder.removeTree(at: stage)
            throw error
        }
        return Manifest.report(path: goal + "/backend.json", programFolder: nil)
    }

    /// Removes a backend that ``install(_:known:replaces:)`` installed.
    ///
    /// - Parameters:
    ///   - id: the backend's id.
    ///   - known: the installed backends, for a more helpful message.
    /// - Throws: ``HostError`` `noSuchBackend`, `installRefused`.
    public func remove(_ id: String, known: [BackendReport]) throws {
        try refuseRoot()
        let place = folder + "/" + id
        guard Manifest.isID(id), access(place + "/" + Self.note, F_OK) == 0, isFolder(place) else {
            if let other = known.first(where: { $0.id == id }) {
                throw refusal(
                    "the backend '\(id)' was not installed with 'copystand backend install': its manifest is \(other.manifest ?? "in the program")",
                    "Remove it the way it was installed")
            }
            throw HostError(.noSuchBackend, "no backend is called '\(id.prefix(100))'")
        }
        removeLeftovers()
        // Renaming the folder hides it in one step; deleting takes several.
        let old = folder + "/" + WorkName.new(for: id)
        guard rename(place, old) == 0 else {
            throw refusal("\(place) can't be removed: \(systemReason(errno, at: place))")
        }
        GuardedFolder.removeTree(at: old)
    }

    /// Removes what killed installers left, if nobody else can have put anything there.
    private func removeLeftovers() {
        (try? GuardedFolder.own(folder))?.removeLeftovers { _, _ in true }
    }

    private func refuseRoot() throws {
        guard user != 0 else {
            throw refusal(
                "backends are installed for one user, and not as root",
                "Do it as the user who scans; to try the backend as root, name its folder in COPYSTAND_BACKENDS; for everyone on this machine use a package, or /usr/lib/copystand/backends"
            )
        }
    }

    private func checkName(
        _ plan: InstallPlan, _ known: [BackendReport], goal: String, replaces: Bool
    ) throws {
        let id = plan.manifest.id
        let isOurs = access(goal + "/" + Self.note, F_OK) == 0 && isFolder(goal)
        if isOurs && !replaces {
            throw refusal(
                "a backend '\(id)' is already installed, in \(goal)",
                "Add --replace to replace it with this one")
        }
        // COPYSTAND_BACKENDS may name the installation folder itself.
        let other = known.first {
            $0.id == id && $0.manifest != goal + "/backend.json"
                && $0.manifest.map(plan.isOwnManifest) != true
        }
        if let other {
            throw refusal(
                "the id '\(id)' belongs to another backend: \(other.manifest ?? "one in the program")",
                "Give yours another \"id\" in its backend.json")
        }
        if !isOurs, access(goal, F_OK) == 0 {
            throw refusal("\(goal) already exists and is not an installed backend", "Move it away")
        }
    }

    /// Starts the copy, to check that it does not need the original folder.
    private func tryOut(_ stage: String) async throws {
        let report = Manifest.report(path: stage + "/backend.json", programFolder: nil)
        guard let program = report.program, report.problem == nil else {
            throw refusal("the backend can't be used: \(report.problem ?? "it has no program")")
        }
        let configuration = HostConfiguration(backendFolders: [], stateFile: "")
        let supervisor = BackendSupervisor(report, .program(program), configuration)
        let result: Result<Void, any Error>
        do { result = .success(_ = try await supervisor.link()) } catch { result = .failure(error) }
        await supervisor.stop()
        guard case .failure(let error) = result else { return }
        throw refusal(
            "'\(report.id)' was not installed, because its copy does not start: \(asHostError(error).message)",
            "List every file that it needs in \"files\" of its backend.json")
    }

    private func place(_ stage: String, _ goal: String) throws {
        if cposix_rename_new(stage, goal) == 0 { return }
        guard errno == EEXIST || errno == ENOTEMPTY else {
            throw refusal("\(goal) can't be written: \(systemReason(errno, at: folder))")
        }
        let directory = OwnedDescriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let names = [stage, goal].map { String($0.split(separator: "/").last ?? "") }
        guard cposix_exchange(directory.raw, names[0], names[1]) == 0 else {
            throw refusal("\(goal) can't be replaced: \(systemReason(errno, at: folder))")
        }
        GuardedFolder.removeTree(at: stage)
    }

    private func make(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw refusal("the folder \(folder) can't be made: \(systemReason(errno, at: folder))")
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }
}

/// The error for a backend that can't be installed or removed.
func refusal(_ message: String, _ advice: String? = nil) -> HostError {
    HostError(.installRefused, message, advice: advice)
}
