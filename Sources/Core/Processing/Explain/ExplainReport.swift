import Documents
import Imaging

/// The history of one picture, for `report.json`.
struct ExplainReport: Encodable {
    struct Step: Encodable {
        var name: String
        var summary: String
        var changed: Bool
        /// The step's options, including defaults.
        var options: [String: String]
        var measurements: [String: Double]
        var milliseconds: Double
        /// The file name of the page after the step, in the same folder; nil for a step that makes
        /// no picture.
        var picture: String?
    }

    struct Part: Encodable {
        var part: Int?
        var of: Int?
        var isBlank: Bool
        var width: Int
        var height: Int
        var resolution: Double?
        var steps: [Step]
        /// The words that a person should check.
        var doubtful: [Word]
        var problems: [String]
    }

    var page: Int
    var label: String?
    var device: String
    var profile: String
    var parts: [Part]

    /// The report for people.
    var text: String {
        var lines = ["Page \(page)\(label.map { " (\($0))" } ?? ""), profile \(profile)"]
        for part in parts {
            if let number = part.part, let all = part.of {
                lines.append("\nPart \(number) of \(all)")
            }
            for (index, step) in part.steps.enumerated() {
                lines.append(
                    "\n\(index + 1). \(step.name): \(step.summary) (\(rounded(step.milliseconds, places: 1)) ms)"
                )
                let options = step.options.sorted { $0.key < $1.key }
                if !options.isEmpty {
                    lines.append(
                        "   with " + options.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
                    )
                }
                let measured = step.measurements.sorted { $0.key < $1.key }
                if !measured.isEmpty {
                    lines.append(
                        "   measured "
                            + measured.map { "\($0.key) \(rounded($0.value, places: 3))" }
                            .joined(separator: ", "))
                }
                if let picture = step.picture { lines.append("   \(picture)") }
            }
            if !part.doubtful.isEmpty {
                lines.append("\nDoubtful words:")
                lines += part.doubtful.map {
                    "   '\($0.text)' at \($0.box.x), \($0.box.y) (\(rounded($0.confidence, places: 2)))"
                }
            }
            if part.isBlank { lines.append("\nNothing is written on this page.") }
            lines += part.problems.map { "\nProblem: \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ExplainReport.Part {
    init(_ page: ProcessedPage, _ profile: Profile, pictures: [String]) {
        part = page.parts.last?.number
        of = page.parts.last?.of
        isBlank = page.isBlank
        width = page.image.width
        height = page.image.height
        resolution = page.image.resolution
        doubtful = page.text?.words.filter(\.isDoubtful) ?? []
        problems = page.problems
        steps = page.steps.enumerated().map { index, report in
            let settings = profile.steps.first { $0.name == report.name }?.settings
            let declaration = StepCatalog.declarations.first { $0.name == report.name }
            let options = (declaration?.options ?? []).map {
                ($0.name, (settings?.values[$0.name] ?? $0.defaultValue).text)
            }
            return ExplainReport.Step(
                name: report.name, summary: report.summary, changed: report.changed,
                options: Dictionary(options) { first, _ in first },
                measurements: report.measurements, milliseconds: report.milliseconds,
                picture: index < pictures.count ? pictures[index] : nil)
        }
    }
}
