import Imaging

/// Makes the curved lines of a page beside a book's fold straight.
struct UncurlStep: ProcessingStep {
    static let declaration = StepDeclaration(
        name: "uncurl", title: "Flatten the curl",
        help:
            "Straightens lines of text that are bent, as beside the fold of a book. It takes several full lines of text to "
            + "tell the curve; a page with fewer is left.",
        done: "flattened")

    init(_ settings: StepSettings) {}

    func run(on page: StepInput) throws -> StepOutcome {
        guard let curl = try page.image.uncurled() else {
            return .left(page.image, "left: too few lines of text to tell a curve")
        }
        let bend = rounded(curl.bend, places: 1)
        guard curl.bend >= Double(page.image.height) / 800 else {
            return .left(
                page.image, "left: the lines are straight (\(bend) pixels)", ["bend": curl.bend])
        }
        return .changed(
            curl.image, "straightened lines that were bent by \(bend) pixels",
            ["bend": curl.bend], moved: .unknown)
    }
}
