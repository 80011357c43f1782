import ExpectedFailures
import Imaging
import Recognition

/// Turns sideways and upside-down pages upright.
struct OrientationStep: ProcessingStep {
    static let confidence = StepOptionKey(
        number: "confidence", in: 8...100, default: 10,
        help:
            "How certain the ascenders must be before a page is turned, in standard deviations. The shapes of letters, which have a scale of their own, decide at a third of that, or at a quarter if the ascenders agree."
    )

    static let declaration = StepDeclaration(
        name: "orientation", title: "Turn upright",
        help: "Turns sideways and upside-down pages upright, by their letters.",
        done: "turned upright",
        options: [confidence.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    /// The minimum certainty at which only the ascenders decide, in standard deviations divided by
    /// the square root of the number of letters.
    ///
    /// Latin print has 0.35 to 0.9, mostly above 0.5. Cyrillic, whose letters hang below their
    /// lines, has up to 0.42 for the wrong orientation.
    private static let clear = 0.45

    func run(on page: StepInput) throws -> StepOutcome {
        let letters = try Lettering(leveled(page))
        let estimate = letters.sketch.uprightTurn()
        let isClear =
            estimate.confidence >= Self.clear * Double(max(1, letters.count)).squareRoot()
        // Ascenders are quick to examine and right for Latin text, but wrong for some scripts, so
        // shapes decide before a page is turned.
        if estimate.answer == .upright, isClear {
            return .left(
                page.image, "unchanged: upright already", ["confidence": estimate.confidence])
        }
        var measurements = ["confidence": estimate.confidence]
        // Text that is read confidently is upright, and checking this costs nothing; examining the
        // shapes of letters takes a seventh of the reading.
        if estimate.answer == .upright, page.isReadNext,
            estimate.confidence >= settings[Self.confidence]
        {
            var outcome = StepOutcome.left(page.image, "unchanged: upright already", measurements)
            outcome.isUnproven = true
            return outcome
        }
        // Without the data for shapes (`copystand doctor` names its package), the ascenders decide
        // alone.
        let guess = ifSupported { try page.letters(letters.sketch.image) }
        if let guess { measurements["shapes"] = guess.confidence }
        let turn: QuarterTurn
        let isLikely: Bool
        switch decision(estimate, isClear: isClear, guess) {
        case .upright:
            return .left(page.image, "unchanged: upright already", measurements)
        case .turn(let likely): (turn, isLikely) = (likely, true)
        case .unknown:
            guard let possible = Self.turn(of: guess) ?? estimate.turn else {
                return .left(
                    page.image,
                    guess == nil
                        ? "unchanged: too little text to tell which way is up" : Self.unsure,
                    measurements)
            }
            (turn, isLikely) = (possible, false)
        }
        return try proven(turn, isLikely: isLikely, page, measurements)
    }

    private static let unsure = "unchanged: not sure enough that it should be turned"

    /// The page after a turn if its text reads clearly better that way; a doubtful page stays.
    ///
    /// Without a reader, the likeliest turn is used.
    private func proven(
        _ turn: QuarterTurn, isLikely: Bool, _ page: StepInput, _ measurements: [String: Double]
    ) throws -> StepOutcome {
        guard let asItLies = try page.trial(page.image).map(Legibility.init),
            let there = try legibility(of: page, turnedBy: turn)
        else {
            return isLikely
                ? outcome(of: page, turnedBy: turn, measurements)
                : .left(page.image, Self.unsure, measurements)
        }
        var best = (turn: turn, text: there)
        if there.isClearlyBetter(than: asItLies) {
            // Vertical lines are certain, but it may be uncertain at which end they begin.
            if turn != .half { try consider(turn.inverse, on: page, against: &best) }
        } else if asItLies.isPoor {
            for other in QuarterTurn.allCases where other != turn {
                try consider(other, on: page, against: &best)
            }
        }
        var measured = measurements
        measured["letters"] = Double(asItLies.letters)
        measured["lettersTurned"] = Double(best.text.letters)
        guard best.text.isClearlyBetter(than: asItLies) else {
            return .left(
                page.image,
                "unchanged: does not read clearly better when turned by \(turn.degrees)°",
                measured)
        }
        return outcome(of: page, turnedBy: best.turn, measured)
    }

    /// Uses another turn if more text is readable that way.
    private func consider(
        _ turn: QuarterTurn, on page: StepInput,
        against best: inout (turn: QuarterTurn, text: Legibility)
    ) throws {
        guard let text = try legibility(of: page, turnedBy: turn),
            text.letters > best.text.letters
        else { return }
        best = (turn, text)
    }

    private func legibility(of page: StepInput, turnedBy turn: QuarterTurn) throws -> Legibility? {
        try page.trial(page.image.rotated(by: turn)).map(Legibility.init)
    }

    private func outcome(
        of page: StepInput, turnedBy turn: QuarterTurn, _ measurements: [String: Double]
    ) -> StepOutcome {
        .changed(
            page.image.rotated(by: turn), "turned by \(turn.degrees)°",
            measurements.merging(["angle": Double(turn.degrees)]) { $1 },
            moved: .turned(page.image, by: turn), turn: turn)
    }

    private static func turn(of guess: OrientationGuess?) -> QuarterTurn? {
        guess.flatMap { QuarterTurn(rawValue: 90 * $0.quarterTurns) }
    }

    /// The orientation from the letters' shapes, if they are certain enough: a third as certain as
    /// ascenders must be, a quarter if the ascenders agree, and equally certain if the ascenders
    /// clearly disagree.
    ///
    /// On 400 generated pages in three scripts, the shapes were never wrong with a confidence above
    /// 2.3; on scans and on scraps with few letters, they were wrong up to 1.7.
    private func decision(
        _ estimate: OrientationEstimate, isClear: Bool, _ guess: OrientationGuess?
    ) -> OrientationEstimate.Answer {
        let least = settings[Self.confidence]
        guard let guess else {
            return estimate.confidence >= least ? estimate.answer : .unknown
        }
        let said: OrientationEstimate.Answer = Self.turn(of: guess).map { .turn($0) } ?? .upright
        let wanted =
            if said == estimate.answer {
                least / 4
            } else if estimate.answer == .unknown || !isClear {
                least / 3
            } else {
                least
            }
        return guess.confidence >= wanted ? said : .unknown
    }

    /// The page's lettering with horizontal or vertical lines, because letters are recognized only
    /// in lines within about 2°.
    private func leveled(_ page: StepInput) throws -> PageSketch {
        let sketch = try page.analysis.sketch.get()
        if let skew = try page.analysis.skew.get() {
            guard skew.degrees.magnitude > 1 else { return sketch }
            return try PageSketch(of: sketch.image.rotated(byDegrees: skew.degrees))
        }
        // A page without horizontal lines may be sideways and tilted.
        let turned = try PageSketch(of: sketch.image.rotated(by: .clockwise90))
        guard let skew = turned.skew(), skew.degrees.magnitude > 1 else { return sketch }
        return try PageSketch(of: sketch.image.rotated(byDegrees: skew.degrees))
    }
}
