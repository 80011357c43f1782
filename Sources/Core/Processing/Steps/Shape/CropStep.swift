import Detection
import Imaging

/// Cuts the paper out of the picture: a sheet on a scanner's glass, a photographed page, or a fixed
/// region.
struct CropStep: ProcessingStep {
    static let confidence = StepOptionKey(
        number: "confidence", in: 0...1, default: 0.6,
        help: "How sure the search must be of a page's corners in a photograph.")
    /// The names of sizes, and `auto`.
    static let paperChoices = ["auto"] + PaperSize.all.map(\.name)
    static let paper = StepOptionKey(
        choice: "paper", of: paperChoices, default: "auto",
        help: "The size of photographed paper; auto finds it from the page's shape.")

    static let declaration = StepDeclaration(
        name: "crop", title: "Crop to the paper",
        help: "Cuts away the scanner's lid around the paper, and makes a photographed page "
            + "rectangular again.",
        done: "cropped",
        options: [confidence.option, paper.option])

    static let cutsPictures = true

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        switch page.target {
        case .nothing: .left(page.image, "unchanged: the profile looks for nothing")
        case .region(let region): cut(region, from: page.image)
        case .page, .card: try cropped(page)
        }
    }

    // MARK: A fixed region

    private func cut(_ region: Profile.Region, from image: Raster) -> StepOutcome {
        let (width, height) = (Double(image.width), Double(image.height))
        let left = Int((region.left * width).rounded())
        let top = Int((region.top * height).rounded())
        let right = Int(((region.left + region.width) * width).rounded())
        let bottom = Int(((region.top + region.height) * height).rounded())
        let wanted = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        guard right > left, bottom > top, let rectangle = wanted.intersection(image.bounds) else {
            return .left(image, "unchanged: the region is narrower than one pixel of this picture")
        }
        guard rectangle != image.bounds else {
            return .left(image, "unchanged: the region is the whole picture")
        }
        return .changed(
            image.cropped(to: rectangle),
            "cropped to the region of \(rectangle.width) × \(rectangle.height) pixels",
            moved: .cut(to: rectangle))
    }

    // MARK: Paper

    private func cropped(_ page: StepInput) throws -> StepOutcome {
        let image = page.image
        if let corners = page.corners,
            let outcome = try flattened(corners, page, confidence: 1)
        {
            return outcome
        }
        let scanned = image.plausibleResolution
        if let certainty = WholePicture.certainty(of: page) {
            return left(page, resolution: scanned, because: certainty)
        }
        let gray = page.analysis.gray
        let scale = (
            x: Double(image.width) / Double(gray.width),
            y: Double(image.height) / Double(gray.height)
        )
        let finder = PaperFinder(gray)
        if let sheet = finder.sheet(resolution: scanned.map { $0 / scale.x }) {
            if let reason = try WholePicture(page, sheets: [sheet.quad]).reason() {
                return left(page, resolution: scanned, because: reason)
            }
            let quad = sheet.quad.scaled(x: scale.x, y: scale.y)
            if let lean = quad.leanOfRectangle {
                return try straight(quad, lean: lean, sheet.paper, page, resolution: scanned)
            }
            if scanned == nil || quad.isBentByPerspective,
                let outcome = try flattened(quad, page, confidence: 1)
            {
                return outcome
            }
        } else if scanned == nil || finder.borderIsDark,
            let found = try PageSearch(for: page.target).detectClosely(in: image),
            found.confidence >= settings[Self.confidence],
            Surroundings.differ(
                about: found.quad.scaled(x: 1 / scale.x, y: 1 / scale.y), in: gray)
        {
            let quad = found.quad.scaled(x: 1 / scale.x, y: 1 / scale.y)
            if let reason = try WholePicture(page, sheets: [quad]).reason() {
                return left(page, resolution: scanned, because: reason)
            }
            if let outcome = try flattened(found.quad, page, confidence: found.confidence) {
                return outcome
            }
        }
        return left(
            page, resolution: scanned,
            because: scanned != nil && finder.borderIsPaper
                ? "unchanged: the paper fills the picture" : "unchanged: no edge of paper found")
    }

    /// Cuts out a sheet that was seen straight on.
    ///
    /// Unless the sheet is tilted, its pixels stay exactly the same.
    private func straight(
        _ quad: Quad, lean: Double, _ paper: Int, _ page: StepInput, resolution: Double?
    ) throws -> StepOutcome {
        let image = page.image
        let sides = quad.sides
        let assumed = AssumedSize(
            width: Int(sides[0].rounded()), height: Int(sides[1].rounded()), target: page.target,
            size: namedPaper)
        let plan = Flattening(scanned: quad, resolution: resolution ?? assumed.resolution)
        var result: Raster
        var summary = "cropped to \(resolution == nil ? assumed.summary : plan.summary)"
        var measurements = ["width": Double(plan.width), "height": Double(plan.height)]
        let movement: PixelMovement
        if lean.magnitude < 0.15 {
            let rectangle = quad.innerRectangle(in: image.bounds)
            result = image.cropped(to: rectangle)
            movement = .cut(to: rectangle)
        } else {
            result = try plan.applied(to: image, fill: UInt8(clamping: paper))
            movement = plan.movement(to: result)
            summary += ", turned by \(rounded(lean.magnitude, places: 1))°"
            measurements["angle"] = -lean
        }
        result.resolution = plan.resolution
        measurements.merge(quad.measurements) { $1 }
        if resolution == nil { measurements["resolution"] = plan.resolution }
        return .changed(result, summary, measurements, moved: movement)
    }

    /// Makes a photographed page rectangular; nil when its shape is impossible.
    private func flattened(
        _ quad: Quad, _ page: StepInput, confidence: Double
    ) throws -> StepOutcome? {
        func plan(_ paper: PaperSize?) -> Flattening? {
            Flattening(photographed: quad, in: page.image, target: page.target, paper: paper)
        }
        // An object that lay still under a camera during its capture counts as a card, even without
        // the shape of the named one.
        guard let plan = plan(namedPaper) ?? (page.corners == nil ? nil : plan(nil)) else {
            return nil
        }
        let fills = quad.area / (Double(page.image.width) * Double(page.image.height))
        // A quad along the picture's own edges means that the page is cropped already.
        guard fills < 0.985 else { return nil }
        let sheet = try plan.applied(to: page.image)
        return .changed(
            sheet,
            "flattened to \(plan.summary) at \(Int(plan.resolution.rounded())) dpi",
            [
                "confidence": confidence, "width": Double(sheet.width),
                "height": Double(sheet.height), "resolution": plan.resolution,
            ].merging(quad.measurements) { $1 }, moved: plan.movement(to: sheet))
    }

    /// The unchanged page; if its scale is unknown, it gets the scale that its shape suggests.
    private func left(_ page: StepInput, resolution: Double?, because reason: String) -> StepOutcome
    {
        // Even a coarsely drawn page has a certain size.
        let isCertain = page.facts.isDrawn && page.image.resolution != nil
        guard resolution == nil, !isCertain else { return .left(page.image, reason) }
        var image = page.image
        let (width, height) = (image.width, image.height)
        // A named size is not used for a picture with another shape.
        let named = namedPaper.flatMap {
            $0.fits(aspect: Double(width) / Double(height)) ? $0 : nil
        }
        let assumed = AssumedSize(
            width: width, height: height, target: page.target, size: named)
        image.resolution = assumed.resolution
        return .left(
            image,
            "\(reason); \(assumed.summary) at \(Int(assumed.resolution.rounded())) dpi",
            ["resolution": assumed.resolution])
    }

    private var namedPaper: PaperSize? {
        PaperSize.all.first { $0.name == settings[Self.paper] }
    }
}

extension Quad {
    /// The corners of the paper in the picture: `x1`, `y1` for its top left one and so on
    /// clockwise, in pixels.
    fileprivate var measurements: [String: Double] {
        var found: [String: Double] = [:]
        for (number, corner) in corners.enumerated() {
            found["x\(number + 1)"] = corner.x
            found["y\(number + 1)"] = corner.y
        }
        return found
    }

    /// The whole pixels of an upright sheet, rounded to the nearest edges.
    fileprivate func innerRectangle(in bounds: PixelRect) -> PixelRect {
        func middle(_ a: Double, _ b: Double) -> Int { Int(((a + b) / 2).rounded()) }
        let left = max(0, middle(topLeft.x, bottomLeft.x))
        let top = max(0, middle(topLeft.y, topRight.y))
        let right = min(bounds.width, middle(topRight.x, bottomRight.x))
        let bottom = min(bounds.height, middle(bottomLeft.y, bottomRight.y))
        return PixelRect(
            x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
    }
}
