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
            "Makes a page of each photograph or card on a scanner's glass, straightened and cropped. A camera's picture is cropped to the one thing in it.",
        done: "cut out",
        options: [smallest.option, paper.option])

    static let cutsPictures = true

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let image = page.image
        if let certainty = WholePicture.certainty(of: page) { return .left(image, certainty) }
        guard let resolution = image.plausibleResolution, page.corners == nil else {
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
        return .parted(
            pages,
            pages.count == 1
                ? "cropped to one item of \(sizes[0])"
                : "split into \(pages.count) items: " + sizes.joined(separator: ", "),
            ["items": Double(items.count)]) ?? .left(image, "unchanged: no item found on the glass")
    }

    /// An item cut out, turned only when it leans by more than a tenth of a degree.
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
