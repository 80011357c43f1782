import Imaging

/// Makes a page black and white.
struct BinarizeStep: ProcessingStep {
    static let method = StepOptionKey(
        choice: "method", of: ["sauvola", "otsu"], default: "sauvola",
        help:
            "sauvola sets a threshold for each place from its surroundings, for uneven light and stains; otsu sets one for the whole page."
    )
    static let window = StepOptionKey(
        number: "window", in: 0.5...20, unit: "mm", default: 2.1,
        help: "How far around a place sauvola looks; about half a line's height works well.")
    static let factor = StepOptionKey(
        number: "factor", in: 0.05...0.9, default: 0.34,
        help: "With sauvola, larger values make strokes thinner and remove more of the stains."
    )

    static let declaration = StepDeclaration(
        name: "binarize", title: "Black and white",
        help:
            "Makes every pixel black or white, by a threshold for each place or by one for the whole page.",
        done: "black and white",
        options: [method.option, window.option, factor.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        guard page.image.format != .bilevel else {
            return .left(page.image, "unchanged: black and white already")
        }
        let isSauvola = settings[Self.method] == "sauvola"
        let made = try page.image.binarized(
            isSauvola
                ? .sauvola(
                    radius: Self.radius(settings[Self.window], in: page.image),
                    factor: settings[Self.factor]) : .otsu)
        return .changed(made, "made black and white by \(isSauvola ? "Sauvola" : "Otsu")")
    }

    /// A length in millimeters as pixels of `image`, 2…500; at 300 dpi if its resolution is
    /// unknown.
    static func radius(_ millimeters: Double, in image: Raster) -> Int {
        let pixels = millimeters / 25.4 * (image.plausibleResolution ?? 300)
        return min(max(2, Int(pixels.rounded())), 500)
    }
}
