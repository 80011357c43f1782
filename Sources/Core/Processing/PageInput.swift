public import Documents
public import Imaging

/// A captured page that enters the pipeline.
public struct PageInput: Sendable {
    /// The pixels as captured, with their resolution where known.
    public var image: Raster
    /// Where it came from.
    public var provenance: Provenance
    /// The page's corners in the picture's pixels, if they were found during capture; `crop` then
    /// does not search again.
    public var corners: Quad?
    /// The page's own text, in the picture's pixels; nil for none.
    public var text: PageText?
    /// True when the picture may show more text than that.
    public var isTextPartial: Bool
    /// What is certain about the picture.
    public var facts: PictureFacts
    /// Its place in the job, from 1, which an explanation uses.
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

/// What is certain about a picture, which steps then need not guess.
public struct PictureFacts: Hashable, Sendable {
    /// True when its edges are the page's own, so that nothing surrounds it.
    public var edgesArePaper: Bool
    /// True when a scanner took it.
    public var isScan: Bool
    /// True when a program drew it, as pages of a PDF are.
    public var isDrawn: Bool

    /// Facts; nothing is certain unless given.
    public init(edgesArePaper: Bool = false, isScan: Bool = false, isDrawn: Bool = false) {
        self.edgesArePaper = edgesArePaper
        self.isScan = isScan
        self.isDrawn = isDrawn
    }
}

/// A page at the pipeline's end.
public struct ProcessedPage: Sendable {
    /// The picture to keep.
    public var image: Raster
    /// The picture before steps that only please the eye, from which text is read; nil when there
    /// were none.
    var legible: Raster?
    /// The text that was read or that it came with, in the picture's pixels.
    public var text: PageText?
    /// Every step in order with what it did.
    public var steps: [StepReport]
    /// What went wrong without losing the page, for people.
    public var problems: [String]
    /// False when the picture's pixels are exactly those that were captured.
    public var isChanged: Bool
    /// True when a step changed more than how paper and ink look: it cut, straightened or cleaned
    /// the page.
    public var isRemade = false
    /// The turn of the whole picture that the steps made; nil for none, and where they have remade
    /// the page before.
    public var turn: QuarterTurn?
    /// The text that was read; nil if none was, though it may have its own text.
    public var readText: PageText?
    /// True when its own text was left out, or read again.
    public var hasLostText = false
    /// True when nothing is written on it, according to the step `blank`.
    public var isBlank = false
    /// True when a step chose the most likely answer, which the reading must confirm.
    var isUnproven = false
    /// True when its own text may be incomplete.
    var isTextPartial = false
    /// Where the captured picture's pixels went.
    var path = PixelMovement.none
    /// True when a step may have left out a part of the captured picture.
    var isCut = false
    /// If this page is a part of a captured picture: where that picture's pixels went; nil for a
    /// page that shows all of it.
    public var placement: Homography? {
        guard isCut, case .by(let map) = path else { return nil }
        return map
    }
    /// Which part of the picture it is, for every step that split it; empty for the whole.
    public var parts: [Part] = []

    /// One of several pages in a picture.
    public struct Part: Codable, Hashable, Sendable {
        /// Its place among them, from 1.
        public var number: Int
        /// The number of these pages.
        public var of: Int

        /// One of several pages.
        public init(number: Int, of: Int) {
            self.number = number
            self.of = of
        }
    }

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
