import CaptureHost
import CaptureKit

/// Checks that backends are installed, start, and answer.
struct BackendCheck {
    private static let name = "Backends"

    /// The installed backends.
    var reports: [BackendReport]
    /// The backends' answers to the request for their devices.
    var listing: DeviceListing

    /// The results of the check.
    var findings: [DoctorFinding] {
        guard !reports.isEmpty else {
            return [
                .failure(
                    Self.name, "none is installed, so nothing can be captured",
                    remedy:
                        "reinstall Copystand, or name the backends' folder in COPYSTAND_BACKENDS"
                )
            ]
        }
        let broken = reports.compactMap { report in
            report.problem.map {
                DoctorFinding.warning(
                    Self.name, "\(report.id) can't be used: \($0)",
                    remedy: "fix or remove \(report.manifest ?? "its manifest")")
            }
        }
        let failed = listing.problems.map { error in
            DoctorFinding.failure(
                Self.name, error.message,
                remedy: error.advice ?? "run it by hand: copystand devices --verbose")
        }
        let silent = Set(listing.problems.compactMap(\.backend))
        let good = reports.filter { $0.problem == nil && !silent.contains($0.id) }.map { report in
            let count = listing.devices.count { $0.backend == report.id }
            return DoctorFinding.ok(Self.name, "\(report.id) answers; devices: \(count)")
        }
        let devices = listing.devices.compactMap { device in
            device.descriptor.advice.map {
                DoctorFinding.warning(
                    "Devices", "\(device.id) is \(device.descriptor.state.words)", remedy: $0)
            }
        }
        let none =
            good.isEmpty && failed.isEmpty
            ? [
                DoctorFinding.failure(
                    Self.name, "none can be used", remedy: "reinstall Copystand")
            ] : []
        return good + broken + failed + none + devices
    }
}
