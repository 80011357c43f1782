import Imaging

/// Detects pages on which nothing is written.
///
/// The picture is never changed, and no page is thrown away: a blank page is marked, left out of
/// files, and kept in the archive. A doubtful page counts as written: one clear mark with the size
/// of a letter is enough, even just a page number.
struct BlankStep: ProcessingStep {
    static let contrast = StepOptionKey(
        number: "contrast", in: 0.1...0.9, default: 0.3,
        help:
            "How much darker than the paper a single mark must be to count, as a fraction of white. Fainter marks count if they are sharp and many, since what shines through from the other side is blurred."
    )
    static let pageNumbers = StepOptionKey(
        choice: "page-numbers", of: ["written", "blank"], default: "written",
        help: "What a page with only a page number counts as.")

    static let declaration = StepDeclaration(
        name: "blank", title: "Find blank pages",
        help:
            "Marks pages on which nothing is written, despite dust, shadows at the edges, or writing on the other side. They are left out of files unless --keep-blank is given; the archive keeps them, marked.",
        options: [contrast.option, pageNumbers.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        guard let ink = InkMap(page.image) else {
            return .left(
                page.image, "counts as written: too small or too dark to recognize a blank page")
        }
        let marks = WrittenMarks(
            ink, contrast: Int((settings[Self.contrast] * 255).rounded()))
        var measurements = [
            "marks": Double(marks.clear.count), "faint": Double(marks.faint),
            "ink": marks.coverage, "blank": 0,
        ]
        if let reason = marks.reason(
            ignoringPageNumber: settings[Self.pageNumbers] == "blank")
        {
            return .left(page.image, "written: \(reason)", measurements)
        }
        measurements["blank"] = 1
        var outcome = StepOutcome.left(
            page.image,
            marks.clear.isEmpty
                ? "blank: no mark of the size of a letter" : "blank: only a page number",
            measurements)
        outcome.isBlank = true
        return outcome
    }
}
