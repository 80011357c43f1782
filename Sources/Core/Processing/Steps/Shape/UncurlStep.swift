import Imaging

/// Straightens the curved lines of a page near a book's fold.
struct UncurlStep: ProcessingStep {
    static let declaration = StepDeclaration(
        name: "uncurl", title: "Flatten the curl",
        help:
            "Straightens curved lines of text, as near the fold of a book. It needs several full lines of text to find the curve; a page with fewer is left as it is.",
        done: "flattened")

    init(_ settings: StepSettings) {}

    func run(on page: StepInput) throws -> StepOutcome {
        guard let curl = try page.image.uncurled() else {
            return .left(page.image, "unchanged: too few lines of text to find a curve")
        }
        let bend = rounded(curl.bend, places: 1)
        guard curl.bend >= Double(page.image.height) / 800 else {
            return .left(
                page.image, "unchanged: the lines are straight (\(bend) pixels)",
                ["bend": curl.bend])
        }
        return .changed(
            curl.image, "straightened lines that were bent by \(bend) pixels",
            ["bend": curl.bend], moved: .unknown)
    }
}
