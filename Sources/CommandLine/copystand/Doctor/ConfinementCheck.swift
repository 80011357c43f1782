import CaptureHost
import Glibc
import Processes

/// Reports how the kernel can confine backends, and which rights each one still has.
struct ConfinementCheck {
    private static let name = "Confinement"

    /// The installed backends.
    var reports: [BackendReport]
    /// The kernel's features.
    var support = SandboxSupport.tried()
    /// Reads a setting of the kernel by its path below /proc/sys; nil for a missing one.
    var setting: (String) -> String? = systemSetting

    /// The results of the check.
    var findings: [DoctorFinding] {
        let usable = reports.filter { $0.problem == nil && $0.program != nil }
        return [kernel(usable)] + namespaces(usable)
            + usable.map { .ok(Self.name, "\($0.id): \(words($0.confinement))") }
    }

    private func kernel(_ usable: [BackendReport]) -> DoctorFinding {
        let offers = [
            support.landlockVersion.map { "Landlock \($0)" } ?? "no Landlock",
            support.filtersCalls ? "seccomp" : "no seccomp",
        ].joined(separator: ", ")
        let lacks = usable.filter {
            ($0.confinement.isReadOnly && support.landlockVersion == nil)
                || (!$0.confinement.hasNetwork && !support.filtersCalls)
        }
        guard !lacks.isEmpty else { return .ok(Self.name, "this kernel has \(offers)") }
        return .warning(
            Self.name,
            "this kernel has \(offers), which would confine \(lacks.map(\.id).joined(separator: ", "))",
            remedy: "boot a kernel with Landlock among its security modules (lsm=) and seccomp")
    }

    /// Reports whether sandboxes have their own processes and mounts.
    private func namespaces(_ usable: [BackendReport]) -> [DoctorFinding] {
        let users = usable.filter { $0.confinement.isReadOnly }.map(\.id)
        guard let isGranted = support.grantsNamespaces, !users.isEmpty else { return [] }
        let names = users.joined(separator: ", ")
        if isGranted {
            return [.ok(Self.name, "sandboxes have namespaces of their own: \(names)")]
        }
        return [
            .warning(
                Self.name,
                "this system gives sandboxes no namespaces, so Landlock and seccomp alone guard \(names)",
                remedy: remedy)
        ]
    }

    /// The command that lets an ordinary user make namespaces.
    private var remedy: String {
        if setting("kernel/unprivileged_userns_clone") == "0" {
            return "sudo sysctl -w kernel.unprivileged_userns_clone=1"
        }
        if setting("kernel/apparmor_restrict_unprivileged_userns") == "1" {
            return
                "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give Copystand an AppArmor profile that allows userns"
        }
        if setting("user/max_user_namespaces") == "0" {
            return "sudo sysctl -w user.max_user_namespaces=10000"
        }
        return
            "let the container or service that Copystand runs in make user namespaces (RestrictNamespaces= of systemd, seccomp profile of Docker)"
    }

    /// The remaining rights of a backend.
    private func words(_ confinement: Confinement) -> String {
        let isReadOnly =
            confinement.isReadOnly
            && (support.landlockVersion != nil || support.grantsNamespaces == true)
        let hasNetwork = confinement.hasNetwork || !support.filtersCalls
        return [
            isReadOnly ? "can read files but change none" : "its user's files",
            hasNetwork ? "network" : "no network",
            "\(confinement.memory >> 20) MiB of memory", "\(confinement.openFiles) descriptors",
            "no new privileges",
        ].joined(separator: ", ")
    }
}

/// A setting of the running kernel, without the end of its line.
private func systemSetting(_ path: String) -> String? {
    let file = open("/proc/sys/" + path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(file, &text, text.count)
    guard count > 0 else { return nil }
    return String(decoding: text.prefix(count), as: UTF8.self).split(separator: "\n").first
        .map(String.init)
}
