import Imaging

/// Straightens tilted text.
struct DeskewStep: ProcessingStep {
    static let maximum = StepOptionKey(
        number: "maximum", in: 0...12, unit: "°", default: 12,
        help: "The largest angle that is straightened; a page with a larger tilt is left as it is.")
    static let threshold = StepOptionKey(
        number: "threshold", in: 0...2, unit: "°", default: 0.1,
        help: "Smaller angles are left as they are, since turning a page softens it a little.")

    static let declaration = StepDeclaration(
        name: "deskew", title: "Straighten",
        help: "Straightens a tilted page by its lines of text.",
        done: "straightened",
        options: [maximum.option, threshold.option])

    private let settings: StepSettings

    /// Below this many degrees, lines that a program drew count as straight, whatever is measured.
    private static let leastOfDrawn = 0.3

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        guard let skew = try page.analysis.skew.get() else {
            return .left(page.image, "unchanged: no lines of text found")
        }
        let measurements = ["angle": skew.degrees, "confidence": skew.confidence]
        let shown = "\(rounded(skew.degrees.magnitude, places: 2))°"
        guard skew.degrees.magnitude <= settings[Self.maximum] else {
            return .left(
                page.image, "unchanged: tilted by \(shown), more than the maximum", measurements)
        }
        let least = max(settings[Self.threshold], page.facts.isDrawn ? Self.leastOfDrawn : 0)
        guard skew.degrees.magnitude >= least else {
            return .left(page.image, "unchanged: already straight (\(shown))", measurements)
        }
        let turned = page.image.rotated(
            byDegrees: skew.degrees, fill: UInt8(page.analysis.level(0.8)))
        let direction = skew.degrees > 0 ? "clockwise" : "counterclockwise"
        return .changed(
            turned, "turned \(direction) by \(shown)", measurements,
            moved: .turned(page.image, byDegrees: skew.degrees))
    }
}
