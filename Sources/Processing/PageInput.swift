public import Documents
public import Imaging

/// A captured page on its way into the pipeline.
public struct PageInput: Sendable {
    /// The pixels as captured, with their resolution where known.
    public var image: Raster
    /// Where it came from.
    public var provenance: Provenance
    /// The page's corners in the picture's pixels, where the one who captured it has found them; `crop` then searches no more.
    public var corners: Quad?

    /// A page to process.
    public init(image: Raster, provenance: Provenance, corners: Quad? = nil) {
        self.image = image
        self.provenance = provenance
        self.corners = corners
    }
}

/// A page at the pipeline's end.
public struct ProcessedPage: Sendable {
    /// The picture to keep.
    public var image: Raster
    /// What was read, in the picture's pixels.
    public var text: PageText?
    /// Every step in order with what it did.
    public var steps: [StepReport]
    /// What went wrong without losing the page, for people.
    public var problems: [String]
    /// False when the picture's pixels are exactly those that were captured.
    public var isChanged: Bool

    /// A processed page.
    public init(
        image: Raster, text: PageText?, steps: [StepReport], problems: [String], isChanged: Bool
    ) {
        self.image = image
        self.text = text
        self.steps = steps
        self.problems = problems
        self.isChanged = isChanged
    }
}
