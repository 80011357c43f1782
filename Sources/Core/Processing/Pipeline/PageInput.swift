public import Documents
public import Imaging

/// A captured page that enters the pipeline.
public struct PageInput: Sendable {
    /// The captured pixels, with their resolution if known.
    public var image: Raster
    /// The page's origin.
    public var provenance: Provenance
    /// The page's corners in the picture's pixels, if they were found during capture; `crop` then
    /// does not search again.
    public var corners: Quad?
    /// The page's own text, in the picture's pixels; nil for none.
    public var text: PageText?
    /// True when the picture may show more text than that.
    public var isTextPartial: Bool
    /// The known facts about the picture.
    public var facts: PictureFacts
    /// The page's number in the job, from 1, for an explanation.
    public var number: Int

    /// A page to process; the job's first unless a number is given.
    public init(
        image: Raster, provenance: Provenance, corners: Quad? = nil, text: PageText? = nil,
        isTextPartial: Bool = false, facts: PictureFacts = PictureFacts(), number: Int = 1
    ) {
        self.text = text
        self.isTextPartial = isTextPartial
        self.number = number
        self.facts = facts
        self.image = image
        self.provenance = provenance
        self.corners = corners
    }
}

/// Facts about a picture that steps then need not guess.
public struct PictureFacts: Hashable, Sendable {
    /// True when the picture's edges are the page's own, so that nothing surrounds the page.
    public var edgesArePaper: Bool
    /// True when a scanner captured the picture.
    public var isScan: Bool
    /// True when a program drew the picture, such as a page of a PDF.
    public var isDrawn: Bool

    /// Facts; none is known unless given.
    public init(edgesArePaper: Bool = false, isScan: Bool = false, isDrawn: Bool = false) {
        self.edgesArePaper = edgesArePaper
        self.isScan = isScan
        self.isDrawn = isDrawn
    }
}

/// A page after all steps.
public struct ProcessedPage: Sendable {
    /// The picture to deliver.
    public var image: Raster
    /// The picture before the steps that only improve its look, from which text is read; nil when
    /// there were no such steps.
    var legible: Raster?
    /// The text that was read, or the page's own text, in the picture's pixels.
    public var text: PageText?
    /// The reports of all steps, in order.
    public var steps: [StepReport]
    /// Problems that did not lose the page, for people.
    public var problems: [String]
    /// False when the picture's pixels are exactly those that were captured.
    public var isChanged: Bool
    /// True when a step changed more than the look of paper and ink: it cut, straightened or
    /// cleaned the page.
    public var isRemade = false
    /// The turn of the whole picture by the steps; nil for none, and where other steps have changed
    /// the previous page.
    public var turn: QuarterTurn?
    /// The text that was read; nil if none was, though the page may have its own text.
    public var readText: PageText?
    /// True when the page's own text was left out, or read again.
    public var hasLostText = false
    /// True when nothing is written on the page, according to the step `blank`.
    public var isBlank = false
    /// True when a step chose the most likely answer, which the reading must confirm.
    var isUnproven = false
    /// True when the page's own text may be incomplete.
    var isTextPartial = false
    /// The movement of the captured picture's pixels.
    var path = PixelMovement.none
    /// True when a step may have left out a part of the captured picture.
    var isCut = false
    /// For a page that is a part of a captured picture, the map of that picture's pixels; nil for a
    /// page that shows the whole picture.
    public var placement: Homography? {
        guard isCut, case .by(let map) = path else { return nil }
        return map
    }
    /// The part of the picture that the page shows, for every step that split the picture; empty
    /// for the whole.
    public var parts: [Part] = []

    /// One of several pages in a picture.
    public struct Part: Codable, Hashable, Sendable {
        /// The page's number among these pages, from 1.
        public var number: Int
        /// The number of these pages.
        public var of: Int
    }
}
