import Documents
import Processing
import ScanService

/// A finished page in a line of at most 80 columns, such as "Page 3: A4, 262 words, straightened",
/// and its warnings.
struct PageLine {
    /// The maximum number of columns of the line; at most half of them are for the page's label.
    static let columns = 80

    private let page: Page
    private let words: Int
    private let isAside: Bool

    init(_ summary: PageSummary) {
        page = summary.page
        words = summary.words
        isAside = summary.document == 0
    }

    /// The line about the page for the user.
    var text: String {
        var text = "Page \(page.number): \(name)\(facts[0])"
        for fact in facts.dropFirst() where text.count + 2 + fact.count <= Self.columns {
            text += ", \(fact)"
        }
        return text
    }

    /// A line for each problem or doubt.
    var warnings: [String] {
        (doubt.map { [$0] } ?? []) + page.problems.map { "Page \(page.number): \($0)" }
    }

    /// The page's label at its source, shortened in the middle.
    private var name: String {
        guard let label = page.provenance.label else { return "" }
        let most = Self.columns / 2
        guard label.count > most else { return "\(label): " }
        return "\(label.prefix(most / 2))…\(label.suffix(most - most / 2 - 1)): "
    }

    private var facts: [String] {
        let paper = paperTitle(
            width: page.width, height: page.height, resolution: page.resolution)
        // Steps report the resolution that follows from a size they assumed.
        let isAssumed = page.provenance.steps.contains { $0.measurements["resolution"] != nil }
        let size = isAssumed ? "\(paper) (assumed)" : paper
        let isRead = page.provenance.steps.contains { $0.name == "text" }
        let words = page.isBlank ? "blank" : isRead ? counted(words, "word") : nil
        let done = page.provenance.steps.compactMap { step -> String? in
            if !step.found.isEmpty { return step.summary }
            return step.changed ? StepCatalog.declaration(of: step.name)?.done : nil
        }
        return (isAside ? ["left out between documents"] : [])
            + ([size, words].compactMap { $0 } + done).uniqued
    }

    private var doubt: String? {
        guard words > 0,
            let confidence = page.provenance.steps.first(where: { $0.name == "text" })?
                .measurements["confidence"], confidence < PagePipeline.lowConfidence
        else { return nil }
        let resolution = Int(min(max(page.resolution, 0), 1e6).rounded())
        let why =
            resolution < Self.leastResolution
            ? "the picture has \(resolution) dpi"
            : "it may be handwriting, or in another language"
        return "Page \(page.number): text is doubtful; \(why)"
    }

    /// Dots per inch below which small print can't be read.
    private static let leastResolution = 150
}

extension [String] {
    /// The texts without repetitions.
    fileprivate var uniqued: [String] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
