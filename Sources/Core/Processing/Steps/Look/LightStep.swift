import Imaging

/// Evens shadows and makes the paper white.
struct LightStep: ProcessingStep {
    static let threshold = StepOptionKey(
        number: "threshold", in: 0...1, default: 0.06,
        help:
            "Paper that differs less than this from white and from place to place is left as it is; 0 evens every page."
    )

    static let declaration = StepDeclaration(
        name: "light", title: "Even the light",
        help: "Evens shadows and dark edges, and makes the paper white.",
        done: "light evened",
        options: [threshold.option])

    static var isCosmetic: Bool { true }

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        guard page.image.format != .bilevel else {
            return .left(page.image, "unchanged: a black-and-white picture has no light to even")
        }
        let light = LightMeasure(page.analysis.gray)
        guard light.brightest >= 0.16 else {
            return .left(page.image, "unchanged: too dark to find paper in it")
        }
        let measurements = ["unevenness": light.unevenness, "paper": light.brightest]
        if light.unevenness < settings[Self.threshold],
            1 - light.darkest < settings[Self.threshold]
        {
            return .left(page.image, "unchanged: the light is even", measurements)
        }
        // The tile is half a centimeter of an A4 page, but large enough that a line of small
        // letters does not fill it.
        let tile = max(32, max(page.image.width, page.image.height) / 64)
        let summary =
            light.unevenness < settings[Self.threshold]
            ? "made paper of \(percent(light.brightest)) brightness white"
            : "evened light that differed by \(percent(light.unevenness)) across the paper"
        return .changed(page.image.lightEvened(tile: tile), summary, measurements)
    }
}

private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
