import Documents
import Imaging
import Recognition

/// A reader that lets Tesseract read every page first, and everything that is not a whole page.
protocol EngineFirstReader: TextRecognizer {
    /// The pool of Tesseract's processes.
    var engine: RecognizerPool { get }
}

extension EngineFirstReader {
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
