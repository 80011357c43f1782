import FoundationEssentials
import Glibc
import ScanService
import UserFiles

/// Checks that pages and settings can be stored.
struct DiskCheck {
    /// The environment the folders come from.
    var environment: [String: String]
    /// The number of bytes that an unprivileged user may still write at an existing path; nil if
    /// unknown.
    var free: (String) -> UInt64? = Self.freeBytes
    /// True if the user may write in a folder.
    var isWritable: (String) -> Bool = { access($0, W_OK | X_OK) == 0 }

    /// An A4 page in color at 300 dpi takes 26 MB before it is compressed: less than this is too
    /// little for a stack.
    private static let comfortable: UInt64 = 2 << 30
    /// The minimum free space; less is not enough even for a few pages.
    private static let least: UInt64 = 200 << 20

    /// The results of the check.
    var findings: [DoctorFinding] {
        var seen = Set<String>()
        let own = UserFolders(environment: environment)
        let folders = [own.knownPath(.state), temporary].compactMap { $0 }.map(existing)
        return folders.filter { seen.insert($0).inserted }.map(space) + [settings(own)] + kept
    }

    /// The faults of the folders of jobs and waiting documents.
    private var kept: [DoctorFinding] {
        let problems: [String]
        do {
            let folders = try KeptFolders(environment: environment)
            try folders.check()
            problems = folders.problems
        } catch let error as JobError {
            problems = [error.message]
        } catch {
            // The settings' check reports faults of the user's folders.
            return []
        }
        return problems.map { .failure("Jobs and outbox", "can't all be used", remedy: $0) }
    }

    private func settings(_ own: UserFolders) -> DoctorFinding {
        do throws(UserFileError) {
            let folder = try own.usable(.config)
            for name in [
                "tokens.json", "sinks.json", "devices.json", "https.pem", "https-authority.pem",
            ] {
                _ = try UserFile(path: folder + "/" + name).checkTrust()
            }
            return configuration(folder)
        } catch {
            return .failure("Settings", "can't be kept", remedy: error.message)
        }
    }

    private func space(_ folder: String) -> DoctorFinding {
        guard let bytes = free(folder) else {
            return .warning(
                "Disk space", "is unknown for \(folder)",
                remedy: "check it with: df -h \(folder)")
        }
        let text = "\(Self.words(bytes)) free in \(folder)"
        guard bytes < Self.comfortable else { return .ok("Disk space", text) }
        let remedy = "free some space; to see what is large: du -xh \(folder) | sort -h | tail"
        return bytes < Self.least
            ? .failure("Disk space", "only " + text, remedy: remedy)
            : .warning("Disk space", "only " + text, remedy: remedy)
    }

    private func configuration(_ folder: String) -> DoctorFinding {
        let place = existing(folder)
        return isWritable(place)
            ? .ok("Settings", "can be kept in \(folder)")
            : .failure(
                "Settings", "can't be kept in \(folder): \(place) can't be written",
                remedy: "sudo chown \"$USER\" \(place)")
    }

    private var temporary: String {
        environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    }

    /// The folder, or its nearest existing parent.
    private func existing(_ folder: String) -> String {
        var parts = folder.split(separator: "/")
        while !parts.isEmpty {
            let path = "/" + parts.joined(separator: "/")
            if FileManager.default.fileExists(atPath: path) { return path }
            parts.removeLast()
        }
        return "/"
    }

    /// A number of bytes as people read it.
    static func words(_ bytes: UInt64) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }

    private static func freeBytes(_ path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}
