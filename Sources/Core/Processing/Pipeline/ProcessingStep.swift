import Documents
import Imaging
import Recognition

/// One thing that can be done with a page: a picture and options in, a picture and measurements
/// out.
///
/// A step is pure: it keeps nothing between pages, and the same picture with the same options gives
/// the same outcome. It accepts every pixel format; if it does not apply to one, it leaves the
/// picture as it is and says so.
protocol ProcessingStep: Sendable {
    /// The step's name, help and options.
    static var declaration: StepDeclaration { get }

    /// True for a step that only improves the look: text is read from the picture before it.
    ///
    /// Such a step leaves every pixel in its place.
    static var isForTheEye: Bool { get }

    /// True for a step that may leave out a part of the picture, as cropping does.
    static var cutsPictures: Bool { get }

    /// True for a step that makes paper and ink look better and moves nothing on the page.
    static var isCosmetic: Bool { get }

    /// The step with what a profile sets for it.
    init(_ settings: StepSettings)

    /// Does the work. A step that throws leaves the page as it was; the error becomes one of the
    /// page's problems.
    func run(on page: StepInput) throws -> StepOutcome
}

extension ProcessingStep {
    static var isForTheEye: Bool { false }
    static var cutsPictures: Bool { false }
    static var isCosmetic: Bool { false }
}

/// A picture's orientation by the shapes of its letters; nil when there are too few, or no data for
/// letters.
typealias OrientationFinder = @Sendable (Raster) throws -> OrientationGuess?

/// The text on a picture, read as one block in the picture's orientation; nil if there is no
/// reader.
typealias TrialReading = @Sendable (Raster) throws -> PageText?

/// The input of a step.
struct StepInput {
    /// The picture so far.
    let image: Raster
    /// What the profile looks for.
    let target: Profile.Target
    /// Reduced views of the picture that steps share.
    let analysis: PageAnalysis
    /// The page's corners in the picture, where they are known already.
    let corners: Quad?
    /// What is certain about the picture.
    let facts: PictureFacts
    /// Determines a picture's orientation by the shapes of its letters; blocks for up to a second,
    /// so it is used only in doubt.
    let letters: OrientationFinder
    /// Reads a picture as one block, to check whether it can be read; as slow as reading a page, so
    /// it is used only in doubt.
    let trial: TrialReading
    /// True when the page's text is read next.
    ///
    /// A step may then give a likely answer, and let the reading confirm it.
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

    /// The same page known to have another resolution; its reduced views stay.
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
    /// The picture from here on.
    var image: Raster
    /// True when pixels differ from the step's input; a new resolution alone changes no pixel.
    var isChanged: Bool
    /// What was done, for users.
    var summary: String
    /// What was measured, by name.
    var measurements: [String: Double]
    /// Further pages that the step found in the picture, in the order they are read, after `image`;
    /// the steps that follow run on each.
    var furtherPages: [PicturePart] = []
    /// Where the pixels went.
    var movement = PixelMovement.none
    /// True when nothing is written on the page: its text is not read.
    var isBlank = false
    /// True when the step chose the most likely answer, which the reading must confirm; only if
    /// ``StepInput/isReadNext``.
    var isUnproven = false

    /// The picture holds several pages: at least one, in the order they are read.
    static func parted(
        _ pages: [PicturePart], _ summary: String, _ measurements: [String: Double] = [:]
    ) -> StepOutcome? {
        guard let first = pages.first else { return nil }
        var outcome = StepOutcome.changed(
            first.image, summary, measurements, moved: first.movement)
        outcome.furtherPages = Array(pages.dropFirst())
        return outcome
    }
    /// The turn, if the step did nothing except turn the whole picture.
    var turn: QuarterTurn?
    /// What was found on the page, in pixels of the picture the step was given.
    var found: [Finding] = []

    /// The picture was changed.
    ///
    /// - Parameters:
    ///   - movement: where its pixels went; by default each stayed in its place.
    ///   - turn: the turn, if the step did nothing else.
    static func changed(
        _ image: Raster, _ summary: String, _ measurements: [String: Double] = [:],
        moved movement: PixelMovement = .none, turn: QuarterTurn? = nil
    ) -> StepOutcome {
        StepOutcome(
            image: image, isChanged: true, summary: summary, measurements: measurements,
            movement: movement, turn: turn)
    }

    /// The pixels were left as they were.
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
    /// Where the picture's pixels went.
    var movement: PixelMovement
}
