import Detection
import Imaging

/// Splits a scan of several photographs or cards into one page each, straight and cropped gently.
struct ItemsStep: ProcessingStep {
    static let smallest = StepOptionKey(
        number: "smallest", in: 5...300, unit: "mm", default: 20,
        help: "The shorter side of the smallest thing that counts as an item.")

    static let paper = StepOptionKey(
        choice: "paper", of: CropStep.paperChoices, default: "auto",
        help:
            "The size of an item in a camera's picture, whose scale is unknown; auto finds it from the shape."
    )

    static let declaration = StepDeclaration(
        name: "items", title: "Split items on the glass",
        help:
            "Makes a straightened and cropped page of each photograph or card on a scanner's glass or under a camera, up to 20 of them.",
        done: "cut out",
        options: [smallest.option, paper.option])

    static let cutsPictures = true

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let image = page.image
        if let certainty = WholePicture.certainty(of: page) { return .left(image, certainty) }
        guard let resolution = image.plausibleResolution, page.corners == nil else {
            if page.corners == nil, let outcome = try spread(in: page) { return outcome }
            return try CropStep(
                StepSettings([CropStep.paper.option.name: .choice(settings[Self.paper])])
            ).run(on: page)
        }
        let items = ItemFinder.items(
            in: image, smallest: settings[Self.smallest] / 25.4 * resolution)
        guard !items.isEmpty else { return .left(image, "unchanged: no item found on the glass") }
        let whole = Double(image.width * image.height)
        if items.count == 1, items[0].quad.area > 0.97 * whole {
            return .left(image, "unchanged: one item fills the picture")
        }
        let share = Double(page.analysis.gray.width) / Double(image.width)
        let sheets = items.map { $0.quad.scaled(x: share, y: share) }
        if let reason = try WholePicture(page, sheets: sheets).reason() {
            return .left(image, reason)
        }
        let pages = try items.map { try Self.cut($0.quad, from: image, resolution) }
        let sizes = pages.map {
            "\(Int((Double($0.image.width) / resolution * 25.4).rounded())) × "
                + "\(Int((Double($0.image.height) / resolution * 25.4).rounded())) mm"
        }
        return .split(
            pages,
            pages.count == 1
                ? "cropped to one item of \(sizes[0])"
                : "split into \(pages.count) items: " + sizes.joined(separator: ", "),
            ["items": Double(items.count)]) ?? .left(image, "unchanged: no item found on the glass")
    }

    /// The minimum confidence of an object under a camera that becomes a page beside others.
    private static let certain = 0.6

    /// The objects on a table under a camera, in reading order; nil for at most one object.
    private func spread(in page: StepInput) throws -> StepOutcome? {
        let named = PaperSize.all.first { $0.name == settings[Self.paper] }
        let found = try PageSearch(for: page.target).detectAll(in: page.image)
            .filter { $0.confidence >= Self.certain }
        let ordered = ItemFinder.inReadingOrder(
            found.map { ItemFinder.Item(quad: $0.quad, fill: 1) })
        let parts = try ordered.compactMap { item -> PicturePart? in
            guard
                let plan = Flattening(
                    photographed: item.quad, in: page.image, target: page.target, paper: named)
            else { return nil }
            let picture = try plan.applied(to: page.image)
            return PicturePart(image: picture, movement: plan.movement(to: picture))
        }
        guard parts.count > 1 else { return nil }
        return .split(
            parts, "split into \(parts.count) items seen by a camera",
            ["items": Double(parts.count)])
    }

    /// An item cut out; it is turned only if it is tilted by more than a tenth of a degree.
    private static func cut(
        _ quad: Quad, from image: Raster, _ resolution: Double
    ) throws -> PicturePart {
        let lean = quad.leanOfRectangle ?? 1
        guard lean.magnitude < 0.1 else {
            let plan = Flattening(scanned: quad, resolution: resolution)
            let item = try plan.applied(to: image)
            return PicturePart(image: item, movement: plan.movement(to: item))
        }
        let (left, top) = (quad.topLeft.x.rounded(), quad.topLeft.y.rounded())
        let part = PixelRect(
            x: Int(left), y: Int(top), width: Int((quad.bottomRight.x - left).rounded()),
            height: Int((quad.bottomRight.y - top).rounded()))
        var cut = image.cropped(to: part)
        cut.resolution = resolution
        return PicturePart(image: cut, movement: .cut(to: part))
    }
}
