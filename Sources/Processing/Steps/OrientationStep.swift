import Imaging

/// Turns pages upright that lie on their side or on their head.
struct OrientationStep: ProcessingStep {
    static let confidence = StepOptionKey(
        number: "confidence", in: 8...100, default: 10,
        help: "How sure it must be before it turns a page, in standard deviations.")

    static let declaration = StepDeclaration(
        name: "orientation", title: "Turn upright",
        help: "Turns pages upright that lie on their side or on their head, by their letters.",
        options: [confidence.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let estimate = try levelled(page).uprightTurn()
        let measurements = ["confidence": estimate.confidence]
        switch estimate.answer {
        case .unknown:
            return .left(page.image, "left: too little text to tell which way is up", measurements)
        case .upright:
            return .left(page.image, "left: upright already", measurements)
        case .turn(let turn):
            guard estimate.confidence >= settings[Self.confidence] else {
                return .left(
                    page.image, "left: not sure enough that it should be turned", measurements)
            }
            return .changed(
                page.image.rotated(by: turn), "turned by \(turn.degrees)°",
                measurements.merging(["angle": Double(turn.degrees)]) { $1 })
        }
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
