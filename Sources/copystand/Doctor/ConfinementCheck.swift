import CaptureHost

/// Says what the kernel can take away from backends, and what each is left with.
struct ConfinementCheck {
    private static let name = "Confinement"

    /// The backends there are.
    var reports: [BackendReport]
    /// What the kernel offers.
    var support = SandboxSupport.current

    /// What must be said of them.
    var findings: [Finding] {
        let offers = [
            support.landlockVersion.map { "Landlock \($0)" } ?? "no Landlock",
            support.filtersCalls ? "seccomp" : "no seccomp",
        ].joined(separator: ", ")
        let usable = reports.filter { $0.problem == nil && $0.program != nil }
        let lacks = usable.filter {
            ($0.confinement.isReadOnly && support.landlockVersion == nil)
                || (!$0.confinement.hasNetwork && !support.filtersCalls)
        }
        let kernel: Finding =
            lacks.isEmpty
            ? .ok(Self.name, "this kernel has \(offers)")
            : .warning(
                Self.name,
                "this kernel has \(offers), which \(lacks.map(\.id).joined(separator: ", ")) would use",
                remedy: "boot a kernel with Landlock among its security modules (lsm=) and seccomp"
            )
        return [kernel]
            + usable.map { .ok(Self.name, "\($0.id): \(words($0.confinement))") }
    }

    /// What a backend is left with.
    private func words(_ confinement: Confinement) -> String {
        let isReadOnly = confinement.isReadOnly && support.landlockVersion != nil
        let hasNetwork = confinement.hasNetwork || !support.filtersCalls
        return [
            isReadOnly ? "reads files and changes none" : "its user's files",
            hasNetwork ? "network" : "no network",
            "\(confinement.memory >> 20) MiB of memory", "\(confinement.openFiles) descriptors",
            "no new privileges",
        ].joined(separator: ", ")
    }
}
