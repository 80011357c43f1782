import Documents
import Imaging
import Recognition

/// Tesseract reads every page, and the network those that it left in doubt.
struct AutomaticReader: TextRecognizer {
    let engine: RecognizerPool
    let network: RecognizerPool

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        let (text, doubt) = try await engine.read(
            image.sharpenedIfCoarse, languages: languages)
        guard doubt.isLarge else { return text }
        do {
            let second = try await network.recognize(image, languages: languages)
            return LineMerge(engine: text, network: second).text()
        } catch let error as RecognitionError {
            throw RecognitionError(error.code, error.message, text: text)
        }
    }

    func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        guard layout != .any else { return try await recognize(image, languages: languages) }
        return try await engine.recognize(image, languages: languages, layout: layout)
    }

    func detectOrientation(_ image: Raster) async throws -> OrientationGuess? {
        try await engine.detectOrientation(image)
    }

    func prewarm(languages: [String]) { engine.prewarm(languages: languages) }
}
