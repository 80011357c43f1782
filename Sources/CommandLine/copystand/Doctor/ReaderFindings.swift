import CaptureHost
import Readers

/// Checks which readers are installed besides Tesseract.
struct ReaderFindings {
    private static let name = "Readers"

    /// The readers in the folders.
    var reports: [BackendReport]

    /// The results of the check.
    var findings: [DoctorFinding] {
        var findings = reports.map { report in
            report.problem.map {
                .warning(Self.name, "\(report.id): \($0)", remedy: "copystand readers")
            } ?? DoctorFinding.ok(Self.name, "\(report.id): \(report.serves ?? report.name)")
        }
        if !reports.contains(where: { $0.id == Readers.network }) {
            findings.append(
                .warning(
                    Self.name,
                    "\(Readers.network), which reads tables, receipts and poor copies better, is not set up",
                    remedy: "copystand readers install \(Readers.network)"))
        }
        return findings
    }
}
