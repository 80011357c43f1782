import Imaging

/// Makes letters stand out.
struct EnhanceStep: ProcessingStep {
    static let contrast = StepOptionKey(
        number: "contrast", in: 0...3.9, default: 1.1, help: "1 leaves the contrast as it is.")
    static let brightness = StepOptionKey(
        number: "brightness", in: -1...1, default: 0.05,
        help: "Added to every pixel, as a fraction of white; 0 leaves the brightness as it is.")
    static let sharpening = StepOptionKey(
        number: "sharpening", in: 0...3.9, default: 0.4,
        help: "How much edges are sharpened; 0 leaves them as they are.")

    static let declaration = StepDeclaration(
        name: "enhance", title: "Enhance",
        help: "Makes letters stand out by contrast, brightness and sharpening.",
        options: [contrast.option, brightness.option, sharpening.option])

    // Text is read before this step, which turns faint strokes white: receipts would lose a tenth
    // of their words.
    static var isSkippedForReading: Bool { true }

    static var isCosmetic: Bool { true }

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        guard page.image.format != .bilevel else {
            return .left(page.image, "unchanged: a black-and-white picture has nothing to enhance")
        }
        let contrast = settings[Self.contrast]
        let brightness = settings[Self.brightness]
        let sharpening = settings[Self.sharpening]
        guard contrast != 1 || brightness != 0 || sharpening != 0 else {
            return .left(
                page.image, "unchanged: contrast, brightness and sharpening change nothing")
        }
        return .changed(
            page.image.enhanced(
                contrast: contrast, brightness: brightness, sharpening: sharpening),
            "contrast \(plainNumber(contrast)), brightness \(plainNumber(brightness)), "
                + "sharpening \(plainNumber(sharpening))")
    }
}
