import Imaging

/// Splits two facing pages of a book at the gutter.
struct FacingPagesStep: ProcessingStep {
    static let order = StepOptionKey(
        choice: "order", of: ["left-first", "right-first"], default: "left-first",
        help: "Which page is read first; right-first for books that are read from right to left.")

    static let declaration = StepDeclaration(
        name: "facing-pages", title: "Split facing pages",
        help:
            "Splits a picture of an open book at the gutter into its two pages. A picture that is not wider than it is tall counts as one page.",
        done: "split at the fold",
        options: [order.option])

    static let cutsPictures = true

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let image = page.image
        guard Double(image.width) >= 1.1 * Double(image.height) else {
            return .left(image, "unchanged: not wide enough for two pages")
        }
        if let certainty = WholePicture.certainty(of: page) { return .left(image, certainty) }
        guard let gutter = GutterFinder.gutter(in: page.analysis.gray) else {
            return .left(image, "unchanged: no gutter found near the middle")
        }
        let column = min(
            max(1, Int((gutter.place * Double(image.width)).rounded())), image.width - 1)
        // Both pages have the same paper: the larger one determines an unknown size for both.
        let assumed = AssumedSize(
            width: max(column, image.width - column), height: image.height, target: page.target)
        let halves = [
            PixelRect(x: 0, y: 0, width: column, height: image.height),
            PixelRect(x: column, y: 0, width: image.width - column, height: image.height),
        ].map { part in
            var half = image.cropped(to: part)
            half.resolution = image.resolution ?? assumed.resolution
            return PicturePart(image: half, movement: .cut(to: part))
        }
        let pages = settings[Self.order] == "left-first" ? halves : halves.reversed()
        let how = gutter.shadow > 0 ? "its shadow" : "the strip without ink"
        var measurements = ["gutter": Double(column), "shadow": gutter.shadow]
        if image.resolution == nil { measurements["resolution"] = assumed.resolution }
        return .split(pages, "split at the gutter, found by \(how)", measurements)
            ?? .left(image, "unchanged: no gutter found near the middle")
    }
}
