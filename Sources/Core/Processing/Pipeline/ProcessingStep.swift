import Documents
import Imaging
import Recognition

/// One operation on a page: it gets a picture and options, and returns a picture and measurements.
///
/// A step is pure: it stores nothing between pages, and the same picture with the same options
/// gives the same outcome. It accepts every pixel format; if it does not apply to one, it returns
/// the picture unchanged and reports that.
protocol ProcessingStep: Sendable {
    /// The step's name, help and options.
    static var declaration: StepDeclaration { get }

    /// True for a step that only improves the look: text is read from the picture before the step.
    ///
    /// Such a step does not move any pixel.
    static var isSkippedForReading: Bool { get }

    /// True for a step that may leave out a part of the picture, as cropping does.
    static var cutsPictures: Bool { get }

    /// True for a step that makes paper and ink look better and moves nothing on the page.
    static var isCosmetic: Bool { get }

    /// The step with a profile's settings.
    init(_ settings: StepSettings)

    /// Runs the step. If it throws, the page stays unchanged, and the error becomes one of the
    /// page's problems.
    func run(on page: StepInput) throws -> StepOutcome
}

extension ProcessingStep {
    static var isSkippedForReading: Bool { false }
    static var cutsPictures: Bool { false }
    static var isCosmetic: Bool { false }
}

/// Finds a picture's orientation by the shapes of its letters; nil when there are too few, or the
/// data for shapes is missing.
typealias OrientationFinder = @Sendable (Raster) throws -> OrientationGuess?

/// Reads the text of a picture as one block in the picture's orientation; nil without a reader.
typealias TrialReading = @Sendable (Raster) throws -> PageText?

/// The input of a step.
struct StepInput {
    /// The picture after the earlier steps.
    let image: Raster
    /// The kind of object that the profile looks for.
    let target: Profile.Target
    /// Reduced views of the picture that steps share.
    let analysis: PageAnalysis
    /// The page's corners in the picture; nil if unknown.
    let corners: Quad?
    /// The known facts about the picture.
    let facts: PictureFacts
    /// Finds a picture's orientation by the shapes of its letters.
    ///
    /// It blocks for up to a second, so it is used only in doubt.
    let letters: OrientationFinder
    /// Reads a picture as one block, to check whether the text is readable.
    ///
    /// It is as slow as reading a page, so use it only when in doubt.
    let trial: TrialReading
    /// True when the page's text is read next.
    ///
    /// The step may then return the likeliest answer, which the reading must confirm.
    let isReadNext: Bool

    init(
        image: Raster, target: Profile.Target = .nothing, corners: Quad? = nil,
        facts: PictureFacts = PictureFacts(),
        letters: @escaping OrientationFinder = { _ in nil },
        trial: @escaping TrialReading = { _ in nil }, isReadNext: Bool = false
    ) {
        self.init(
            image: image, target: target, analysis: PageAnalysis(image), corners: corners,
            facts: facts, letters: letters, trial: trial, isReadNext: isReadNext)
    }

    private init(
        image: Raster, target: Profile.Target, analysis: PageAnalysis, corners: Quad?,
        facts: PictureFacts, letters: @escaping OrientationFinder, trial: @escaping TrialReading,
        isReadNext: Bool
    ) {
        self.image = image
        self.target = target
        self.analysis = analysis
        self.corners = corners
        self.facts = facts
        self.letters = letters
        self.trial = trial
        self.isReadNext = isReadNext
    }

    /// The same page with another resolution; its reduced views stay.
    func replacingResolution(_ resolution: Double?) -> StepInput {
        guard resolution != image.resolution else { return self }
        var image = image
        image.resolution = resolution
        return StepInput(
            image: image, target: target, analysis: analysis, corners: corners, facts: facts,
            letters: letters, trial: trial, isReadNext: isReadNext)
    }
}

/// The result of a step for a page.
struct StepOutcome {
    /// The picture for the next step.
    var image: Raster
    /// True when pixels differ from the step's input; a new resolution by itself changes no pixel.
    var isChanged: Bool
    /// The step's result, for users.
    var summary: String
    /// The measurements by name.
    var measurements: [String: Double]
    /// The other pages that the step found in the picture, in reading order, after `image`; the
    /// next steps run on each.
    var furtherPages: [PicturePart] = []
    /// The movement of the pixels.
    var movement = PixelMovement.none
    /// True when nothing is written on the page, so that its text is not read.
    var isBlank = false
    /// True when the step chose the most likely answer, which the reading must confirm.
    ///
    /// Only possible with ``StepInput/isReadNext``.
    var isUnproven = false

    /// An outcome with several pages in the picture: at least one, in reading order.
    static func split(
        _ pages: [PicturePart], _ summary: String, _ measurements: [String: Double] = [:]
    ) -> StepOutcome? {
        guard let first = pages.first else { return nil }
        var outcome = StepOutcome.changed(
            first.image, summary, measurements, moved: first.movement)
        outcome.furtherPages = Array(pages.dropFirst())
        return outcome
    }
    /// The turn, if the step only turned the whole picture.
    var turn: QuarterTurn?
    /// The findings, in pixels of the step's input picture.
    var found: [Finding] = []

    /// An outcome with a changed picture.
    ///
    /// - Parameters:
    ///   - movement: the movement of the pixels; none by default.
    ///   - turn: the turn, if the step did nothing else.
    static func changed(
        _ image: Raster, _ summary: String, _ measurements: [String: Double] = [:],
        moved movement: PixelMovement = .none, turn: QuarterTurn? = nil
    ) -> StepOutcome {
        StepOutcome(
            image: image, isChanged: true, summary: summary, measurements: measurements,
            movement: movement, turn: turn)
    }

    /// An outcome with unchanged pixels.
    static func left(_ image: Raster, _ summary: String, _ measurements: [String: Double] = [:])
        -> StepOutcome
    {
        StepOutcome(
            image: image, isChanged: false, summary: summary, measurements: measurements)
    }
}

/// A page that a step found in a picture.
struct PicturePart {
    /// The page.
    var image: Raster
    /// The movement of the picture's pixels.
    var movement: PixelMovement
}
