import FoundationEssentials

/// Checks which data for reading text is installed.
struct LanguageCheck {
    private static let name = "Text recognition"

    /// The installed languages, sorted.
    var languages: [String]
    /// True if the data that finds a page's orientation is installed.
    var hasOrientation: Bool

    /// The results of the check.
    var findings: [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if languages.isEmpty {
            findings.append(
                .failure(
                    Self.name, "no language's data is installed",
                    remedy: "sudo apt install tesseract-ocr-eng"))
        } else if !languages.contains("eng") {
            findings.append(
                .warning(
                    Self.name, "the profiles read English, whose data is not installed",
                    remedy: "sudo apt install tesseract-ocr-eng"))
        }
        if !languages.isEmpty {
            findings.append(.ok(Self.name, "languages: " + languages.joined(separator: ", ")))
        }
        findings.append(
            hasOrientation
                ? .ok(Self.name, "sideways and upside-down pages are turned upright")
                : .warning(
                    Self.name, "sideways and upside-down pages can't be recognized",
                    remedy: "sudo apt install tesseract-ocr-osd"))
        return findings
    }

    /// True if `osd.traineddata` is in the engine's folder for data.
    static func findsOrientation(environment: [String: String]) -> Bool {
        let folders =
            (environment["TESSDATA_PREFIX"].map { [$0] } ?? []) + [
                "/usr/share/tesseract-ocr/5/tessdata", "/usr/local/share/tessdata",
                "/usr/share/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
            ]
        return folders.contains {
            FileManager.default.fileExists(atPath: $0 + "/osd.traineddata")
        }
    }
}
