import ExpectedFailures
import FoundationEssentials
import Glibc

/// Checks that the user may open the cameras and scanners that are plugged in.
struct PermissionCheck {
    /// A prefix of every path; empty except in tests.
    var root = ""
    /// True if the user may read and write a file.
    var isOpen: (String) -> Bool = { access($0, R_OK | W_OK) == 0 }
    /// The group that owns a file.
    var group: (String) -> String? = Self.groupName
    /// The user's name, for the line to type.
    var user: String

    /// The results of the check.
    var findings: [DoctorFinding] {
        [
            finding("Cameras", cameras, group: "video"),
            finding("USB scanners", scanners, group: "scanner"),
        ]
    }

    private func finding(_ check: String, _ paths: [String], group usual: String) -> DoctorFinding {
        guard !paths.isEmpty else { return .ok(check, "none is plugged in") }
        let closed = paths.filter { !isOpen(root + $0) }
        guard let first = closed.first else { return .ok(check, "\(paths.count) can be opened") }
        let group = group(root + first) ?? usual
        // The advice is not to join root's own group: the usual group gets the device once udev's
        // rules know it.
        let wanted = group == "root" ? usual : group
        return .failure(
            check, "\(closed.joined(separator: ", ")) can't be opened by \(user)",
            remedy: "sudo usermod -aG \(wanted) \(user), then log out and in again")
    }

    private var cameras: [String] {
        names("/dev").filter { $0.hasPrefix("video") && $0.dropFirst(5).allSatisfy(\.isNumber) }
            .map { "/dev/" + $0 }.sorted()
    }

    /// USB nodes that udev's rules gave to scanners, or to printers, many of which scan.
    private var scanners: [String] {
        names("/dev/bus/usb").sorted().flatMap { bus in
            names("/dev/bus/usb/" + bus).sorted().map { "/dev/bus/usb/\(bus)/\($0)" }
        }.filter { ["scanner", "lp"].contains(group(root + $0) ?? "") }
    }

    private func names(_ folder: String) -> [String] {
        ifSupported { try FileManager.default.contentsOfDirectory(atPath: root + folder) } ?? []
    }

    private static func groupName(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard getgrgid_r(status.st_gid, &entry, &buffer, buffer.count, &found) == 0, found != nil
        else { return nil }
        return String(cString: entry.gr_name)
    }
}
