import CaptureKit
import FileNames
import FoundationEssentials
import Glibc
import UserFiles

/// The files that a backend's installation copies, all checked to be within the backend's folder.
struct InstallPlan {
    let manifest: Manifest
    /// The path of the folder without symbolic links.
    private let source: String
    /// The files to copy, as paths relative to the folder: the manifest, the program and further
    /// files.
    private let files: [String]

    /// The maximum number of files of a backend.
    private static let mostFiles = 1_000
    /// The maximum size of one file in bytes: 512 MiB.
    private static let mostBytes = 512 << 20

    /// Reads the manifest of a backend's folder and checks every file it names.
    init(_ folder: String) throws {
        guard let source = InstallPlan.realPath(folder) else {
            throw refusal("the folder '\(folder)' can't be read: \(systemMessage())")
        }
        guard access(source + "/backend.json", F_OK) == 0 else {
            throw refusal(
                "there is no backend.json in '\(folder)'",
                "Name a backend's folder; 'copystand backend new' makes one")
        }
        do {
            manifest = try Manifest(path: source + "/backend.json")
        } catch {
            throw refusal("the backend in '\(folder)' can't be installed: \(error.reason)")
        }
        self.source = source
        files = ["backend.json", manifest.program] + (manifest.files ?? [])
        guard manifest.protocol <= captureProtocolVersion else {
            throw refusal(
                "the backend '\(manifest.id)' speaks protocol \(manifest.protocol), this host speaks \(captureProtocolVersion)",
                "Update Copystand")
        }
        guard files.count <= Self.mostFiles else {
            throw refusal("the manifest names more than \(Self.mostFiles) files")
        }
        for file in files { try check(file) }
        guard access(source + "/" + manifest.program, X_OK) == 0 else {
            throw refusal(
                "the program '\(manifest.program)' is not executable",
                "Build it, or: chmod +x \(manifest.program)")
        }
    }

    /// True if a path leads to the manifest that is being copied.
    func isOwnManifest(_ path: String) -> Bool {
        InstallPlan.realPath(path) == source + "/backend.json"
    }

    /// Copies all files into a new folder, and syncs them to the disk.
    func copy(to stage: String) throws {
        try make(stage)
        for file in Set(files) {
            let parts = file.split(separator: "/")
            var folder = stage
            for part in parts.dropLast() {
                folder += "/" + part
                try make(folder)
            }
            try copy(file, to: stage + "/" + parts.joined(separator: "/"))
        }
        let from = Note(from: source, version: manifest.version)
        try write(try JSONEncoder().encode(from), to: stage + "/" + BackendInstaller.note)
    }

    private struct Note: Encodable {
        var from: String
        var version: String?
    }

    private func check(_ file: String) throws {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard !file.isEmpty, parts.allSatisfy({ !["", ".", ".."].contains($0) }),
            !file.utf8.contains(0), file != BackendInstaller.note
        else {
            throw refusal(
                "the manifest names '\(file.prefix(200))', which is not a path inside its folder",
                "Give paths relative to the folder of backend.json")
        }
        guard let real = InstallPlan.realPath(source + "/" + file) else {
            throw refusal(
                "the manifest names '\(file.prefix(200))', which does not exist", "Build it first")
        }
        guard real.hasPrefix(source + "/") else {
            throw refusal(
                "'\(file.prefix(200))' leads out of the backend's folder, to \(real)",
                "Copy that file into the folder")
        }
    }

    private func copy(_ file: String, to goal: String) throws {
        // The file is opened by its real path, so that a link which appeared after the check is not
        // followed.
        let real = InstallPlan.realPath(source + "/" + file) ?? ""
        let raw = open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard raw >= 0 else { throw refusal("'\(file)' can't be read: \(systemMessage())") }
        let input = OwnedDescriptor(raw)
        var about = stat()
        guard real.hasPrefix(source + "/"), fstat(raw, &about) == 0,
            about.st_mode & S_IFMT == S_IFREG, about.st_size <= Self.mostBytes
        else {
            throw refusal("'\(file)' is not a plain file of at most 512 MiB")
        }
        let mode: mode_t = about.st_mode & S_IXUSR != 0 ? 0o755 : 0o644
        let output = try create(goal, mode)
        let failure = eachPiece(of: input.raw) { writeAll($0, to: output.raw) }
        guard failure == 0 else {
            throw refusal(
                "'\(file)' can't be copied to \(goal): \(systemReason(failure, at: goal))")
        }
        guard fsync(output.raw) == 0 else {
            throw refusal("\(goal) can't be written: \(systemReason(errno, at: goal))")
        }
    }

    private func write(_ data: Data, to goal: String) throws {
        let output = try create(goal, 0o644)
        guard data.withUnsafeBytes({ writeAll($0, to: output.raw) }) == 0, fsync(output.raw) == 0
        else {
            throw refusal("\(goal) can't be written: \(systemReason(errno, at: goal))")
        }
    }

    private func create(_ path: String, _ mode: mode_t) throws -> OwnedDescriptor {
        let raw = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard raw >= 0 else {
            throw refusal("\(path) can't be written: \(systemReason(errno, at: path))")
        }
        return OwnedDescriptor(raw)
    }

    private func make(_ folder: String) throws {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw refusal("the folder \(folder) can't be made: \(systemReason(errno, at: folder))")
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return FileNames.text(cString: real)
    }
}
