import Imaging
import Recognition

/// Turns pages upright that lie on their side or on their head.
struct OrientationStep: ProcessingStep {
    static let confidence = StepOptionKey(
        number: "confidence", in: 8...100, default: 10,
        help: "How sure the ascenders must be before it turns a page, in standard deviations; the "
            + "letters' shapes need half of that, on their own scale.")

    static let declaration = StepDeclaration(
        name: "orientation", title: "Turn upright",
        help: "Turns pages upright that lie on their side or on their head, by their letters.",
        options: [confidence.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let sketch = try levelled(page)
        let estimate = sketch.uprightTurn()
        // Ascenders tell Latin letters for next to nothing, but other scripts wrongly: shapes decide before anything is turned.
        if estimate.answer == .upright {
            return .left(page.image, "left: upright already", ["confidence": estimate.confidence])
        }
        var measurements = ["confidence": estimate.confidence]
        // Without the data for shapes (`copystand doctor` names its package) the ascenders decide alone.
        let guess = try? page.letters(sketch.image)
        if let guess { measurements["shapes"] = guess.confidence }
        switch decision(estimate, guess) {
        case .unknown:
            return .left(
                page.image,
                estimate.turn == nil && guess == nil
                    ? "left: too little text to tell which way is up"
                    : "left: not sure enough that it should be turned", measurements)
        case .upright:
            return .left(page.image, "left: upright already", measurements)
        case .turn(let turn):
            return .changed(
                page.image.rotated(by: turn), "turned by \(turn.degrees)°",
                measurements.merging(["angle": Double(turn.degrees)]) { $1 })
        }
    }

    /// What the letters' shapes say, where they are sure enough: half as sure as ascenders need be, unless these say another thing.
    ///
    /// On generated pages in three scripts the shapes were never wrong, with a confidence from 5.8 upwards.
    private func decision(
        _ estimate: OrientationEstimate, _ guess: OrientationGuess?
    ) -> OrientationEstimate.Answer {
        let least = settings[Self.confidence]
        guard let guess else {
            return estimate.confidence >= least ? estimate.answer : .unknown
        }
        let turn = QuarterTurn(rawValue: 90 * guess.quarterTurns)
        let isDisputed = estimate.turn != nil && turn != estimate.turn
        let wanted = isDisputed ? least : least / 2
        guard guess.confidence >= wanted else { return .unknown }
        return turn.map { .turn($0) } ?? .upright
    }

    /// The page's lettering with its lines level or upright, since letters are told only on lines within about 2°.
    private func levelled(_ page: StepInput) throws -> PageSketch {
        let sketch = try page.analysis.sketch.get()
        if let skew = try page.analysis.skew.get() {
            guard skew.degrees.magnitude > 1 else { return sketch }
            return try PageSketch(of: sketch.image.rotated(byDegrees: skew.degrees))
        }
        // No level lines: it may lie on its side, and askew as well.
        let turned = try PageSketch(of: sketch.image.rotated(by: .clockwise90))
        guard let skew = turned.skew(), skew.degrees.magnitude > 1 else { return sketch }
        return try PageSketch(of: sketch.image.rotated(byDegrees: skew.degrees))
    }
}
